#include "web/host/public_suffix.h"

#include <fstream>

#include <gtest/gtest.h>

#include "base/error.h"

namespace weft::web {
namespace {

class PublicSuffix : public testing::Test {
protected:
    PublicSuffix() {
        path_ = std::filesystem::path(testing::TempDir()) / "public_suffix_test.dat";
        std::ofstream(path_) << "// ===BEGIN ICANN DOMAINS===\ncom\nuk\nco.uk\n*.ck\n!www.ck\n"
                                "公司.cn\ncn\n// ===END ICANN DOMAINS===\n"
                                "// ===BEGIN PRIVATE DOMAINS===\ngithub.io\n"
                                "// ===END PRIVATE DOMAINS===\n";
        list_.emplace(PublicSuffixList::load(path_));
    }
    ~PublicSuffix() override { std::filesystem::remove(path_); }

    std::filesystem::path path_;
    std::optional<PublicSuffixList> list_;
};

TEST_F(PublicSuffix, OwnersAreOneLabelBelowASuffix) {
    EXPECT_EQ(list_->suffix("www.example.co.uk"), "co.uk");
    EXPECT_EQ(list_->registrable_domain("www.example.co.uk"), "example.co.uk");
    EXPECT_EQ(list_->registrable_domain("co.uk"), std::nullopt);
    EXPECT_EQ(list_->registrable_domain("a.b.ck"), "a.b.ck");
    EXPECT_EQ(list_->registrable_domain("a.www.ck"), "www.ck");
}

TEST_F(PublicSuffix, H71NamesWithoutEndHaveOneOwner) {
    for (int i = 0; i < 1000; ++i) {
        const std::string host = "a" + std::to_string(i) + ".b.farm.co.uk";
        EXPECT_EQ(list_->registrable_domain(host), "farm.co.uk");
    }
}

TEST_F(PublicSuffix, PrivateRulesCountUnlessLeftOut) {
    EXPECT_EQ(list_->registrable_domain("a.b.github.io"), "b.github.io");
    EXPECT_EQ(list_->registrable_domain("a.b.github.io", PublicSuffixList::Rules::icann),
              "github.io");
}

TEST_F(PublicSuffix, UnknownTopLevelDomainsAreSuffixes) {
    EXPECT_EQ(list_->suffix("a.b.test"), "test");
    EXPECT_EQ(list_->registrable_domain("a.b.test"), "b.test");
    EXPECT_EQ(list_->registrable_domain("localhost"), std::nullopt);
}

TEST_F(PublicSuffix, TheHostsOwnSpellingComesBack) {
    EXPECT_EQ(list_->registrable_domain("WWW.Example.COM."), "Example.COM");
    EXPECT_EQ(list_->registrable_domain("www.食狮.公司.cn"), "食狮.公司.cn");
    EXPECT_EQ(list_->registrable_domain("www.xn--85x722f.xn--55qx5d.cn"),
              "xn--85x722f.xn--55qx5d.cn");
}

TEST_F(PublicSuffix, TheDotsOfIdnaSeparateLabelsToo) {
    EXPECT_EQ(list_->registrable_domain("www。example．co｡uk。"), "example．co｡uk");
    EXPECT_EQ(list_->suffix("www。example。co.uk"), "co.uk");
    EXPECT_EQ(list_->registrable_domain("a。。com"), std::nullopt);
}

TEST_F(PublicSuffix, AddressesAndBrokenNamesHaveNoOwner) {
    for (const std::string_view host :
         {"127.0.0.1", "[::1]", "", ".", "..", ".com", "a..com", "a.com..", "\xFF.com"}) {
        EXPECT_EQ(list_->suffix(host), "") << host;
        EXPECT_EQ(list_->registrable_domain(host), std::nullopt) << host;
    }
}

TEST(PublicSuffixFile, AMissingListIsAnErrorThatSaysWhatToDo) {
    try {
        PublicSuffixList::load("/nowhere/list.dat");
        FAIL() << "loaded nothing";
    } catch (const Error& error) {
        EXPECT_NE(std::string_view(error.what()).find("/nowhere/list.dat"), std::string_view::npos);
    }
}

TEST(PublicSuffixFiles, PackedAndTextSayTheSame) {
    const std::filesystem::path packed = PublicSuffixList::kDefaultPath;
    const std::filesystem::path text = std::filesystem::path(packed).replace_extension(".dat");
    if (!exists(packed) || !exists(text)) GTEST_SKIP() << "the package publicsuffix is not there";
    const PublicSuffixList a = PublicSuffixList::load(packed);
    const PublicSuffixList b = PublicSuffixList::load(text);
    std::ifstream rules(text);
    std::size_t count = 0;
    for (std::string rule; std::getline(rules, rule);) {
        if (rule.empty() || rule.starts_with("//")) continue;
        const std::string name = rule.substr(rule.find_first_not_of("!*."));
        for (const std::string& host : {name, "a." + name, "b.a." + name}) {
            EXPECT_EQ(a.suffix(host), b.suffix(host)) << host;
            EXPECT_EQ(a.registrable_domain(host, PublicSuffixList::Rules::icann),
                      b.registrable_domain(host, PublicSuffixList::Rules::icann))
                << host;
            ++count;
        }
    }
    EXPECT_GT(count, 10'000u);
}

}  // namespace
}  // namespace weft::web
