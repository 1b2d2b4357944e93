#include <gtest/gtest.h>

#include "base/bytes.h"
#include "suites/conformance.h"
#include "web/host/public_suffix.h"

namespace weft::suites {
namespace {

using web::PublicSuffixList;

nlohmann::json or_null(std::optional<std::string_view> text) {
    return text ? nlohmann::json(to_lower(*text)) : nlohmann::json();
}

class PslSuite : public testing::Test {
protected:
    void SetUp() override {
        WEFT_NEEDS_CONFORMANCE(conformance_path("psl"));
        list_.emplace(PublicSuffixList::load(conformance_path("psl/public_suffix_list.dat")));
    }

    std::optional<PublicSuffixList> list_;
};

TEST_F(PslSuite, RegistrableDomainsAreFound) {
    for (const auto& row : suites::rows(conformance_path("psl/test_psl.json"))) {
        if (row["host"].is_null()) continue;
        const auto host = row["host"].get<std::string>();

        EXPECT_EQ(or_null(list_->registrable_domain(host)), row["registrable"]) << row;
    }
}

TEST_F(PslSuite, EveryRuleOfTheListHolds) {
    constexpr auto kIcann = PublicSuffixList::Rules::icann;
    for (const auto& row : suites::rows(conformance_path("psl/derived.json"))) {
        const auto host = row[0].get<std::string>();

        EXPECT_EQ(list_->suffix(host), row[1].get<std::string>()) << row;
        EXPECT_EQ(or_null(list_->registrable_domain(host)), row[2]) << row;
        EXPECT_EQ(list_->suffix(host, kIcann), row[3].get<std::string>()) << row;
        EXPECT_EQ(or_null(list_->registrable_domain(host, kIcann)), row[4]) << row;
    }
}

}  // namespace
}  // namespace weft::suites
