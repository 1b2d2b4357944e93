#include "http/connect/address_policy.h"

#include <gtest/gtest.h>

namespace weft::http {
namespace {

web::Url url(std::string_view text) {
    return web::Url::parse(text).value();
}

std::string_view verdict(const AddressPolicy& policy, std::string_view address,
                         std::string_view asked = "http://a.test/") {
    const web::Url whole = url(asked);
    const auto denied =
        policy.denies({*aio::IpAddress::parse(address), *whole.effective_port()}, whole);
    return denied ? denied->range : "allowed";
}

}  // namespace

TEST(AddressPolicy, H116DeniesWhatIsNotThePublicInternet) {
    const AddressPolicy policy;

    for (const char* address :
         {"127.0.0.1",       "0.0.0.0",         "10.1.2.3",      "172.31.255.255",
          "192.168.0.1",     "169.254.169.254", "100.64.0.1",    "198.18.0.1",
          "224.0.0.1",       "255.255.255.255", "::1",           "::",
          "fc00::1",         "fe80::1",         "ff02::1",       "::ffff:127.0.0.1",
          "::ffff:10.0.0.1", "64:ff9b::7f00:1", "2002:7f00:1::", "2001:0:0:0:0:0:80ff:fffe",
          "::127.0.0.1"}) {
        EXPECT_NE(verdict(policy, address), "allowed") << address;
    }
    for (const char* address : {"93.184.216.34", "172.32.0.1", "2606:2800:220:1::1", "11.0.0.1",
                                "::ffff:8.8.8.8", "2002:808:808::"}) {
        EXPECT_EQ(verdict(policy, address), "allowed") << address;
    }
}

TEST(AddressPolicy, AllowedRangesAreOpenAndNothingElse) {
    AddressPolicy policy;
    policy.allow(*AddressRange::parse("127.0.0.0/30"));

    EXPECT_EQ(verdict(policy, "127.0.0.3"), "allowed");
    EXPECT_EQ(verdict(policy, "::ffff:127.0.0.3"), "allowed");
    EXPECT_EQ(verdict(policy, "127.0.0.4"), "loopback");
}

TEST(AddressPolicy, ARangeOfIpv6DoesNotOpenTheIpv4AddressesHiddenInIt) {
    AddressPolicy policy;
    policy.allow(*AddressRange::parse("::/0"));

    EXPECT_EQ(verdict(policy, "fc00::1"), "allowed");
    EXPECT_EQ(verdict(policy, "64:ff9b:1::1"), "allowed");
    EXPECT_EQ(verdict(policy, "::ffff:10.0.0.1"), "private");
    EXPECT_EQ(verdict(policy, "64:ff9b::a00:1"), "private");
}

TEST(AddressPolicy, H116ATypedAddressOpensItselfForItsOwnOriginAlone) {
    // What a seed's name led to was once open for every host, port and link.
    AddressPolicy policy;
    policy.open(url("http://10.0.0.1:8080/path"));

    EXPECT_EQ(verdict(policy, "10.0.0.1", "http://10.0.0.1:8080/other"), "allowed");
    EXPECT_EQ(verdict(policy, "10.0.0.1", "http://10.0.0.1:8081/"), "private");
    EXPECT_EQ(verdict(policy, "10.0.0.1", "http://10.0.0.1/"), "private");
    EXPECT_EQ(verdict(policy, "10.0.0.1", "https://10.0.0.1:8080/"), "private");
    EXPECT_EQ(verdict(policy, "10.0.0.1", "http://a.test:8080/"), "private");
    EXPECT_EQ(verdict(policy, "10.0.0.2", "http://10.0.0.1:8080/"), "private");
}

TEST(AddressPolicy, H116OneSpellingOfATypedAddressIsTheOther) {
    AddressPolicy policy;
    policy.open(url("http://0x7f.1/"));
    policy.open(url("http://[::ffff:10.0.0.1]/"));

    EXPECT_EQ(verdict(policy, "127.0.0.1", "http://127.0.0.1/"), "allowed");
    EXPECT_EQ(verdict(policy, "::ffff:10.0.0.1", "http://[::ffff:a00:1]/"), "allowed");
    EXPECT_EQ(verdict(policy, "10.0.0.1", "http://10.0.0.1/"), "private");
}

TEST(AddressPolicy, H116LocalhostOpensLoopbackForItselfAndANameNothing) {
    AddressPolicy policy;
    policy.open(url("http://localhost:8080/"));
    policy.open(url("http://a.test/"));

    EXPECT_EQ(verdict(policy, "127.0.0.1", "http://localhost:8080/"), "allowed");
    EXPECT_EQ(verdict(policy, "::1", "http://localhost:8080/"), "allowed");
    EXPECT_EQ(verdict(policy, "10.0.0.1", "http://localhost:8080/"), "private");
    EXPECT_EQ(verdict(policy, "127.0.0.1", "http://localhost:8081/"), "loopback");
    EXPECT_EQ(verdict(policy, "127.0.0.1", "http://a.localhost:8080/"), "loopback");
    EXPECT_EQ(verdict(policy, "127.0.0.1", "http://a.test/"), "loopback");
}

TEST(AddressPolicy, H34PortsOfOtherServicesAreForThoseWhoTypeThem) {
    AddressPolicy policy;
    policy.open(url("http://a.test:25/"));
    policy.allow_port(6379);

    EXPECT_FALSE(policy.denies_port(url("http://a.test:25/other")));
    EXPECT_FALSE(policy.denies_port(url("http://b.test:6379/")));
    EXPECT_FALSE(policy.denies_port(url("http://b.test/")));
    EXPECT_TRUE(policy.denies_port(url("http://b.test:25/")));
    EXPECT_TRUE(policy.denies_port(url("https://a.test:25/")));
    for (const char* denied : {"http://a.test:0/", "http://a.test:3306/", "http://a.test:9200/",
                               "http://a.test:5432/", "http://a.test:27017/"}) {
        EXPECT_TRUE(policy.denies_port(url(denied))) << denied;
    }
}

TEST(AddressPolicy, H119OwnListenersAreDeniedEvenIfAllowed) {
    AddressPolicy policy;
    policy.allow(*AddressRange::parse("127.0.0.0/8"));
    policy.open(url("http://127.0.0.1:8080/"));
    policy.deny({aio::IpAddress::loopback(), 8080});

    EXPECT_EQ(verdict(policy, "127.0.0.1", "http://127.0.0.1:8080/"), "weft's own listener");
    EXPECT_EQ(verdict(policy, "0.0.0.0", "http://0.0.0.0:8080/"), "weft's own listener");
    EXPECT_EQ(verdict(policy, "::ffff:127.0.0.1", "http://a.test:8080/"), "weft's own listener");
    EXPECT_EQ(verdict(policy, "127.0.0.1", "http://a.test:8081/"), "allowed");
}

TEST(AddressRange, RangesAreParsedOrRefused) {
    EXPECT_EQ(AddressRange::parse("10.0.0.0/8")->to_string(), "10.0.0.0/8");
    EXPECT_EQ(AddressRange::parse("::1")->prefix_bits, 128u);
    for (const char* bad : {"", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "10.0.0/8", "::1/129"}) {
        EXPECT_FALSE(AddressRange::parse(bad)) << bad;
    }
}

}  // namespace weft::http
