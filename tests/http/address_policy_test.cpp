#include "http/address_policy.h"

#include <gtest/gtest.h>

namespace weft::http {
namespace {

std::string_view verdict(const AddressPolicy& policy, std::string_view address) {
    return policy.denies({*aio::IpAddress::parse(address), 80}).value_or("allowed");
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
    policy.allow(*Network::parse("127.0.0.0/30"));

    EXPECT_EQ(verdict(policy, "127.0.0.3"), "allowed");
    EXPECT_EQ(verdict(policy, "::ffff:127.0.0.3"), "allowed");
    EXPECT_EQ(verdict(policy, "127.0.0.4"), "loopback");
}

TEST(AddressPolicy, H119OwnListenersAreDeniedEvenIfAllowed) {
    AddressPolicy policy;
    policy.allow(*Network::parse("127.0.0.0/8"));
    policy.deny({aio::IpAddress::loopback(), 8080});

    EXPECT_TRUE(policy.denies({aio::IpAddress::loopback(), 8080}));
    EXPECT_FALSE(policy.denies({aio::IpAddress::loopback(), 8081}));
}

TEST(Network, RangesAreParsedOrRefused) {
    EXPECT_EQ(Network::parse("10.0.0.0/8")->to_string(), "10.0.0.0/8");
    EXPECT_EQ(Network::parse("::1")->prefix_bits, 128u);
    for (const char* bad : {"", "10.0.0.0/33", "10.0.0.0/", "10.0.0.0/8x", "10.0.0/8", "::1/129"}) {
        EXPECT_FALSE(Network::parse(bad)) << bad;
    }
}

}  // namespace weft::http
