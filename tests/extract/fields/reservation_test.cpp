#include "extract/fields/reservation.h"

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "extract/extractor.h"

namespace weft::extract {
namespace {

using Values = std::vector<NamedValue>;

std::string withheld(const Values& headers, const Values& metas,
                     Purpose purpose = Purpose::unsaid) {
    return read_reservation({.url = "https://example.com/a", .headers = headers, .metas = metas},
                            purpose)
        .withheld;
}
std::string by_header(std::string_view name, std::string_view value,
                      Purpose purpose = Purpose::unsaid) {
    return withheld({{name, value}}, {}, purpose);
}
std::string by_meta(std::string_view name, std::string_view value,
                    Purpose purpose = Purpose::unsaid) {
    return withheld({}, {{name, value}}, purpose);
}

std::string by_robots(std::string_view text, std::string_view url, Purpose purpose) {
    const auto preferences = web::Robots::parse(text).usage_preferences("weft");
    return read_reservation({.url = url, .robots = preferences}, purpose).withheld;
}

TEST(Reservation, WithoutStatementsNothingIsReserved) {
    const Reservation none = read_reservation({}, Purpose::ai_train);
    EXPECT_TRUE(none.reserved.empty());
    EXPECT_EQ(none.withheld, "");
}

TEST(Reservation, StatementsAreRecordedAsWritten) {
    const TdmRules tdm = TdmRules::parse(
        R"([{"location": "/", "tdm-reservation": 0, "tdm-policy": "https://example.com/p"}])");
    const auto robots =
        web::Robots::parse("User-agent: *\nContent-Signal: search=yes,ai-train=no\nAllow: /\n")
            .usage_preferences("weft");
    const Values headers = {{"Date", "x"}, {"Content-Usage", " train-ai=n ;a, search=y"}};
    const Values metas = {{"ROBOTS", "NOAI, NoImageAI"}, {"description", "x"}};

    const Reservation found = read_reservation({.url = "https://example.com/",
                                                .robots = robots,
                                                .tdm = &tdm,
                                                .headers = headers,
                                                .metas = metas},
                                               Purpose::unsaid);

    const std::vector<ReservedStatement> wanted = {
        {ReservedPlace::robots_txt, "content-signal", "search=yes,ai-train=no"},
        {ReservedPlace::tdmrep, "tdm-reservation", "0"},
        {ReservedPlace::tdmrep, "tdm-policy", "https://example.com/p"},
        {ReservedPlace::header, "content-usage", "train-ai=n ;a, search=y"},
        {ReservedPlace::meta, "robots", "NOAI, NoImageAI"}};
    EXPECT_EQ(found.reserved, wanted);
    EXPECT_EQ(found.withheld, "noai");
}

TEST(Reservation, DirectivesThatForbidNothingAreNotRecorded) {
    const Values metas = {{"robots", "index, follow, max-image-preview:large"}};
    const Values headers = {{"X-Robots-Tag", "all"}};
    EXPECT_TRUE(
        read_reservation({.headers = headers, .metas = metas}, Purpose::search).reserved.empty());
}

TEST(Reservation, NoaiAndTdmReservationWithholdForAnyPurpose) {
    for (const Purpose purpose :
         {Purpose::unsaid, Purpose::search, Purpose::ai_input, Purpose::ai_train}) {
        EXPECT_EQ(by_meta("robots", "noai, noimageai", purpose), "noai");
        EXPECT_EQ(by_header("x-robots-tag", "noai", purpose), "noai");
        EXPECT_EQ(by_header("TDM-Reservation", "1", purpose), "tdm-reservation=1");
        EXPECT_EQ(by_meta("tdm-reservation", "1", purpose), "tdm-reservation=1");
        EXPECT_EQ(by_meta("robots", "noimageai", purpose), "");
        EXPECT_EQ(by_header("tdm-reservation", "0", purpose), "");
        EXPECT_EQ(by_header("tdm-policy", "https://example.com/p", purpose), "");
    }
}

TEST(Reservation, DirectivesForOtherAgentsDoNotCount) {
    EXPECT_EQ(by_header("X-Robots-Tag", "googlebot: noai"), "");
    EXPECT_EQ(by_header("X-Robots-Tag", "Weft: noai"), "noai");
    EXPECT_EQ(by_header("X-Robots-Tag", "otherbot: noindex, nofollow", Purpose::search), "");
    EXPECT_EQ(by_header("X-Robots-Tag", "unavailable_after: 25 Jun 2010 15:00:00 PST, noai"),
              "noai");
    EXPECT_EQ(by_meta("googlebot", "noai"), "");
    EXPECT_EQ(by_meta("Weft", "noai"), "noai");
}

TEST(Reservation, SearchHasItsOwnSignals) {
    EXPECT_EQ(by_header("Content-Signal", "search=no", Purpose::search), "search=no");
    EXPECT_EQ(by_header("Content-Usage", "search=n", Purpose::search), "search=n");
    EXPECT_EQ(by_meta("robots", "noindex, follow", Purpose::search), "noindex");
    EXPECT_EQ(by_meta("robots", "none", Purpose::search), "noindex");
    EXPECT_EQ(by_header("Content-Signal", "ai-train=no, search=yes", Purpose::search), "");
    EXPECT_EQ(by_header("Content-Signal", "search=no"), "");
    EXPECT_EQ(by_meta("robots", "noindex", Purpose::ai_train), "");
}

TEST(Reservation, LanguageModelsHaveTheirOwnSignals) {
    const std::string_view signals = "search=yes, ai-input=no, ai-train=no";
    EXPECT_EQ(by_header("Content-Signal", signals, Purpose::ai_input), "ai-input=no");
    EXPECT_EQ(by_header("Content-Signal", signals, Purpose::ai_train), "ai-train=no");
    EXPECT_EQ(by_header("Content-Usage", "train-ai=n", Purpose::ai_train), "train-ai=n");
    EXPECT_EQ(by_header("Content-Usage", "train-genai=n", Purpose::ai_train), "train-genai=n");
    EXPECT_EQ(by_header("Content-Usage", "train-ai=n", Purpose::ai_input), "");
    EXPECT_EQ(by_header("Content-Usage", "train-ai=y, search=n", Purpose::ai_train), "");
}

TEST(Reservation, BotsIsTheAnswerToWhatIsNotSaid) {
    EXPECT_EQ(by_header("Content-Usage", "bots=n", Purpose::search), "bots=n");
    EXPECT_EQ(by_header("Content-Usage", "bots=n, search=y", Purpose::search), "");
    EXPECT_EQ(by_header("Content-Usage", "bots=n", Purpose::unsaid), "");
}

TEST(Reservation, TheMostSpecificPlaceWins) {
    const TdmRules tdm = TdmRules::parse(R"([{"location": "/", "tdm-reservation": 1}])");
    const auto reason = [&](const Values& headers, const Values& metas) {
        return read_reservation(
                   {.url = "https://example.com/", .tdm = &tdm, .headers = headers, .metas = metas},
                   Purpose::unsaid)
            .withheld;
    };
    EXPECT_EQ(reason({}, {}), "tdm-reservation=1");
    EXPECT_EQ(reason({{"tdm-reservation", "0"}}, {}), "");
    EXPECT_EQ(reason({{"tdm-reservation", "0"}}, {{"tdm-reservation", "1"}}), "tdm-reservation=1");
    EXPECT_EQ(reason({{"tdm-reservation", "1"}}, {{"tdm-reservation", "0"}}), "");
    EXPECT_EQ(reason({{"tdm-reservation", "maybe"}}, {}), "tdm-reservation=1");
}

TEST(Reservation, AmongEqualsNoWins) {
    EXPECT_EQ(withheld({{"Content-Signal", "search=no"}, {"Content-Signal", "search=yes"}}, {},
                       Purpose::search),
              "search=no");
    EXPECT_EQ(by_header("Content-Signal", "search=yes, search=\"no\"", Purpose::search),
              "search=no");
}

TEST(Reservation, RobotsTxtSpeaksOfPaths) {
    const std::string_view text =
        "User-agent: *\n"
        "Content-Usage: train-ai=n\n"
        "Content-Usage: /open/ train-ai=y\n"
        "Content-Usage: /open/*/closed train-ai=n\n"
        "Disallow: /x\n";
    EXPECT_EQ(by_robots(text, "https://example.com/", Purpose::ai_train), "train-ai=n");
    EXPECT_EQ(by_robots(text, "https://example.com/open/a", Purpose::ai_train), "");
    EXPECT_EQ(by_robots(text, "https://example.com/open/a/closed", Purpose::ai_train),
              "train-ai=n");
    EXPECT_EQ(by_robots(text, "https://example.com/", Purpose::search), "");
}

TEST(Reservation, HeaderFieldsAreCloserThanRobotsTxt) {
    const auto robots = web::Robots::parse("User-agent: weft\nContent-Signal: ai-train=no\n")
                            .usage_preferences("weft");
    const Values headers = {{"content-signal", "ai-train=yes"}};
    EXPECT_EQ(read_reservation({.url = "/", .robots = robots}, Purpose::ai_train).withheld,
              "ai-train=no");
    EXPECT_EQ(
        read_reservation({.url = "/", .robots = robots, .headers = headers}, Purpose::ai_train)
            .withheld,
        "");
}

TEST(Reservation, RecordedStatementsAreBoundedAndAllCount) {
    Values headers(kReservedMax, {"tdm-policy", "p"});
    headers.push_back({"tdm-reservation", "1"});
    const Reservation found = read_reservation({.headers = headers}, Purpose::unsaid);
    EXPECT_EQ(found.reserved.size(), kReservedMax);
    EXPECT_EQ(found.withheld, "tdm-reservation=1");

    const std::string longest(kReservedValueBytesMax, 'p');
    for (const std::string& value : {longest, longest + "p"}) {
        const Values one = {{"tdm-policy", value}};
        EXPECT_EQ(read_reservation({.headers = one}, Purpose::unsaid).reserved[0].value, longest);
    }
}

TEST(Reservation, TheExtractorWithholdsText) {
    const std::string html = "<meta name=robots content='noai'><title>Title</title><p>Text";
    Extractor extractor;
    const Extract& page = extractor.read({.html = html});
    EXPECT_EQ(page.text, "");
    EXPECT_EQ(page.fields.title, "Title");
    EXPECT_EQ(page.reservation.withheld, "noai");

    Extractor keeping({.keeps_reserved = true});
    const Extract& kept = keeping.read({.html = html});
    EXPECT_EQ(kept.text, "Text\n");
    EXPECT_EQ(kept.reservation.withheld, "");
    EXPECT_EQ(kept.reservation.reserved.size(), 1);
}

TEST(Reservation, TheExtractorReadsHeadersAndFiles) {
    Extractor extractor({.purpose = Purpose::ai_train});
    const Values headers = {{"Content-Type", "text/html"}, {"Content-Usage", "train-ai=n"}};
    EXPECT_EQ(extractor.read({.html = "x", .headers = headers}).reservation.withheld, "train-ai=n");
    const TdmRules tdm = TdmRules::parse(R"([{"location": "/a", "tdm-reservation": 1}])");
    EXPECT_EQ(extractor.read({.html = "x", .url = "https://example.com/a", .tdm = &tdm})
                  .reservation.withheld,
              "tdm-reservation=1");
    EXPECT_EQ(extractor.read({.html = "x", .url = "https://example.com/b", .tdm = &tdm}).text,
              "x\n");
}

}  // namespace
}  // namespace weft::extract
