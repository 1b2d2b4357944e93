#include "web/host/host.h"

#include <gtest/gtest.h>

#include "web/host/ip_address.h"

namespace weft::web {
namespace {

TEST(Host, PercentEscapesAreDecodedBeforeAnythingElse) {
    EXPECT_EQ(parse_host("ex%41mple.com", false)->text, "example.com");
    EXPECT_EQ(parse_host("%30x7f.1", false)->text, "127.0.0.1");
    EXPECT_EQ(parse_host("%25", false).error(), UrlError::bad_host);
}

TEST(Host, OpaqueHostsKeepTheirCase) {
    EXPECT_EQ(parse_host("Ex%41mple", true)->text, "Ex%41mple");
    EXPECT_EQ(parse_host("\u00e9", true)->text, "%C3%A9");
    EXPECT_EQ(parse_host("a^b", true).error(), UrlError::bad_host);
}

TEST(Host, H67DnsLengthsAreCheckedApart) {
    const std::string label(63, 'a');

    EXPECT_TRUE(fits_dns(label + ".com."));
    EXPECT_FALSE(fits_dns(label + "a.com"));
    EXPECT_FALSE(fits_dns("a..b"));
    EXPECT_FALSE(fits_dns("."));
    EXPECT_TRUE(fits_dns(label + "." + label + "." + label + "." + std::string(61, 'a')));
    EXPECT_FALSE(fits_dns(label + "." + label + "." + label + "." + std::string(62, 'a')));
}

TEST(Ipv4, TakesTheFormsOfBrowsers) {
    EXPECT_EQ(to_string(*parse_ipv4("0x7f.1")), "127.0.0.1");
    EXPECT_EQ(to_string(*parse_ipv4("4294967295")), "255.255.255.255");
    EXPECT_EQ(to_string(*parse_ipv4("1.2.3")), "1.2.0.3");
    EXPECT_EQ(to_string(*parse_ipv4("0x.0.0")), "0.0.0.0");
    EXPECT_EQ(parse_ipv4("4294967296"), std::nullopt);
    EXPECT_EQ(parse_ipv4("1.2.3.4.5"), std::nullopt);
    EXPECT_EQ(parse_ipv4("08.1.1.1"), std::nullopt);
    EXPECT_EQ(parse_ipv4("1..1"), std::nullopt);
}

TEST(Ipv6, RoundTripsInTheShortestForm) {
    const std::pair<std::string_view, std::string_view> cases[] = {
        {"::", "::"},
        {"::1", "::1"},
        {"1::", "1::"},
        {"1:0:0:2:0:0:0:3", "1:0:0:2::3"},
        {"1:0:0:2:0:0:3:4", "1::2:0:0:3:4"},
        {"1:0:2:3:4:5:6:7", "1:0:2:3:4:5:6:7"},
        {"1:2:3:4:5:6:7::", "1:2:3:4:5:6:7:0"},
        {"::127.0.0.1", "::7f00:1"},
        {"FFFF::ABCD", "ffff::abcd"},
    };
    for (const auto& [text, shortest] : cases) {
        ASSERT_TRUE(parse_ipv6(text).has_value()) << text;
        EXPECT_EQ(to_string(*parse_ipv6(text)), shortest);
    }
}

TEST(Ipv6, RefusesWhatIsNoAddress) {
    for (const std::string_view text :
         {"", ":", ":1", "1:", "1::2::3", "12345::", "1:2:3:4:5:6:7", "1:2:3:4:5:6:7:8:9",
          "1:2:3:4:5:6:7::8", "::1.2.3", "::1.2.3.4.5", "::01.2.3.4", "::256.2.3.4", "::1.2.3.4:5",
          "1:2:3:4:5:6:7:1.2.3.4", "::g", "::1%25eth0", ":::"}) {
        EXPECT_EQ(parse_ipv6(text), std::nullopt) << text;
    }
}

}  // namespace
}  // namespace weft::web
