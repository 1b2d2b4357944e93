#include <gtest/gtest.h>

#include "suites/conformance.h"
#include "web/host/host.h"
#include "web/url/url.h"

namespace weft::suites {
namespace {

using nlohmann::json;
using web::Url;

class HostSuite : public testing::TestWithParam<const char*> {};

TEST_P(HostSuite, Passes) {
    const auto path = conformance_path("url") / GetParam();
    WEFT_NEEDS_CONFORMANCE(path);
    for (const json& row : suites::rows(path)) {
        const auto input = row["input"].get<std::string>();
        if (input.empty()) continue;

        const auto url = Url::parse("https://" + input + "/x");

        if (row["output"].is_null()) {
            EXPECT_FALSE(url.has_value()) << row << url->href();
        } else {
            ASSERT_TRUE(url.has_value()) << row;
            EXPECT_EQ(url->host(), row["output"].get<std::string>()) << row;
            EXPECT_EQ(url->pathname(), "/x") << row;
        }
    }
}

INSTANTIATE_TEST_SUITE_P(, HostSuite,
                         testing::Values("toascii.json", "IdnaTestV2.json",
                                         "IdnaTestV2-removed.json"));

// The URL standard takes such names; what DNS can carry is asked apart.
TEST(HostLength, WhatDnsCanCarryIsKnown) {
    const auto path = conformance_path("url/ada_verifydnslength.json");
    WEFT_NEEDS_CONFORMANCE(path);
    for (const json& row : suites::rows(path)) {
        const auto url = Url::parse(row["input"].get<std::string>());

        ASSERT_TRUE(url.has_value()) << row;
        EXPECT_EQ(!web::fits_dns(url->hostname()), row["failure"].get<bool>()) << row;
    }
}

}  // namespace
}  // namespace weft::suites
