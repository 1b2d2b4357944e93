#include <nlohmann/json.hpp>

#include <gtest/gtest.h>

#include "crawl/made_folder.h"
#include "crawl/repair/repair.h"
#include "crawl/visit/page_text.h"

namespace weft::crawl {
namespace {

using aio::Co;
using namespace made;
using ReservedJson = nlohmann::json;

const std::string kReservedTextPath = std::string("crawl/") + TextLog::kName;
const std::string kProse =
    "<p>The weaver ties each thread of the warp to the beam before the first row is woven.</p>";

Config reserving_config(extract::Purpose purpose = extract::Purpose::unsaid) {
    Config config = made_config();
    config.text = extract::TextForm::plain;
    config.text_purpose = purpose;
    return config;
}

http::Reply html_reply(std::string name, std::string value, std::string body = kProse) {
    return {.headers = {{"Content-Type", "text/html"}, {std::move(name), std::move(value)}},
            .body = std::move(body)};
}

// The lines of text.jsonl, by the path of the page.
std::map<std::string, ReservedJson> lines_of(aio::FileSystem& files) {
    std::map<std::string, ReservedJson> lines;
    const std::string all = files.read_all(kReservedTextPath, 64_MiB);
    for (std::string_view rest = all; !rest.empty();) {
        const std::size_t size = rest.find('\n') + 1;
        ReservedJson line = ReservedJson::parse(rest.substr(0, size));
        rest.remove_prefix(size);
        lines[line["url"].get<std::string>().substr(std::string("http://a.test").size())] = line;
    }
    return lines;
}

std::map<std::string, ReservedJson> crawl_lines(MadeSite& site, const Config& config) {
    aio::SimulatedLoop loop;
    loop.run(crawl_made_site(loop, site, config, made_options(), true, true, kAllPages));
    return lines_of(loop.files());
}

std::string withheld(const std::map<std::string, ReservedJson>& lines, const std::string& path) {
    return lines.at(path).value("withheld", "");
}

TEST(ReservedText, AHeaderFieldWithholdsTheTextAndThePageIsArchived) {
    MadeSite site{.page_count = 3};
    site.replies["/1"] = html_reply("TDM-Reservation", "1");
    aio::SimulatedLoop loop;
    loop.run(
        crawl_made_site(loop, site, reserving_config(), made_options(), true, true, kAllPages));
    const auto lines = lines_of(loop.files());

    EXPECT_EQ(withheld(lines, "/1"), "tdm-reservation=1");
    EXPECT_FALSE(lines.at("/1").contains("text"));
    EXPECT_EQ(lines.at("/1")["reserved"],
              ReservedJson::parse(R"([{"from":"header","name":"tdm-reservation","value":"1"}])"));
    EXPECT_EQ(withheld(lines, "/2"), "");
    EXPECT_TRUE(lines.at("/2").contains("text"));
    EXPECT_EQ(answers_of(loop.files())["http://a.test/1"], 1);
}

TEST(ReservedText, RobotsTxtCountsForThePathAndThePurpose) {
    MadeSite site{.page_count = 3};
    site.replies["/robots.txt"] = {
        .body = "User-agent: *\nAllow: /\nContent-Usage: /2 train-ai=n\nContent-Signal: search=no"};
    const auto unsaid = crawl_lines(site, reserving_config());
    EXPECT_EQ(withheld(unsaid, "/1"), "");
    EXPECT_EQ(withheld(unsaid, "/2"), "");
    EXPECT_EQ(unsaid.at("/1")["reserved"].size(), 1u);
    EXPECT_EQ(unsaid.at("/2")["reserved"].size(), 2u);
    EXPECT_EQ(unsaid.at("/2")["reserved"][0]["from"], "robots.txt");

    const auto train = crawl_lines(site, reserving_config(extract::Purpose::ai_train));
    EXPECT_EQ(withheld(train, "/1"), "");
    EXPECT_EQ(withheld(train, "/2"), "train-ai=n");
    const auto search = crawl_lines(site, reserving_config(extract::Purpose::search));
    EXPECT_EQ(withheld(search, "/1"), "search=no");
}

TEST(ReservedText, AllOfItIsKeptIfOneOwnsTheSite) {
    MadeSite site{.page_count = 2};
    site.replies["/1"] = html_reply("X-Robots-Tag", "noai");
    Config config = reserving_config();
    config.keeps_reserved_text = true;
    const auto lines = crawl_lines(site, config);
    EXPECT_TRUE(lines.at("/1").contains("text"));
    EXPECT_TRUE(lines.at("/1").contains("reserved"));
    EXPECT_EQ(withheld(lines, "/1"), "");
}

TEST(ReservedText, TheCrawlIsKnownByTheNameInItsUserAgent) {
    MadeSite site{.page_count = 6};
    site.replies["/robots.txt"] = {.body =
                                       "User-agent: examplebot\nContent-Usage: /5 bots=n\n\n"
                                       "User-agent: otherbot\nContent-Usage: /4 bots=n\n"};
    site.replies["/1"] =
        html_reply("X-Robots-Tag", "examplebot: noai", kProse + "<a href=/3></a><a href=/4></a>");
    site.replies["/2"] = html_reply("X-Robots-Tag", "otherbot: noai", kProse + "<a href=/5></a>");
    site.replies["/3"] = html_reply("X-A", "a", "<meta name=ExampleBot content=noai>" + kProse);
    Config config = reserving_config(extract::Purpose::search);
    config.user_agent = "ExampleBot/1.0 (+https://example.com/bot)";
    const auto lines = crawl_lines(site, config);
    EXPECT_EQ(withheld(lines, "/1"), "noai");
    EXPECT_EQ(withheld(lines, "/2"), "");
    EXPECT_EQ(withheld(lines, "/3"), "noai");
    EXPECT_EQ(withheld(lines, "/4"), "");
    EXPECT_EQ(withheld(lines, "/5"), "bots=n");
}

TEST(ReservedText, ARuleOfTdmrepWithholdsThePagesOfItsPath) {
    MadeSite site{.page_count = 3};
    site.replies["/.well-known/tdmrep.json"] = {
        .body = R"([{"location": "/2", "tdm-reservation": 1, "tdm-policy": "/terms"}])"};
    aio::SimulatedLoop loop;
    const Config config = reserving_config();
    loop.run(crawl_made_site(loop, site, config, made_options(), true, true, kAllPages));
    const auto lines = lines_of(loop.files());
    EXPECT_EQ(withheld(lines, "/1"), "");
    EXPECT_EQ(withheld(lines, "/2"), "tdm-reservation=1");
    EXPECT_EQ(lines.at("/2")["reserved"][0]["from"], "tdmrep.json");
    const std::string listed = loop.files().read_all("crawl/pages/robots.jsonl", 1_MiB);
    EXPECT_TRUE(listed.contains("http://a.test/.well-known/tdmrep.json"));
    EXPECT_EQ(answers_of(loop.files())["http://a.test/.well-known/tdmrep.json"], 1);

    loop.files().remove(kReservedTextPath);
    loop.run([&]() -> Co<> { co_await repair(config, made_options()); }());
    EXPECT_EQ(lines_of(loop.files()), lines);
}

TEST(ReservedText, TdmrepIsNotAskedForWithoutTheWishForTextOrWithoutRobots) {
    for (const bool has_text : {true, false}) {
        MadeSite site{.page_count = 3};
        Config config = has_text ? reserving_config() : made_config();
        config.obey_robots = !has_text;
        aio::SimulatedLoop loop;
        loop.run(crawl_made_site(loop, site, config, made_options(), true, true, kAllPages));
        EXPECT_EQ(site.request_count, has_text ? 3u : 4u);
    }
}

// The records of /1 and /2 have the same body, so one is a revisit of the other; and robots.txt is
// at the end of a redirect.
TEST(ReservedText, ARepairJudgesAsTheCrawlDid) {
    MadeSite site{.page_count = 5};
    site.replies["/robots.txt"] = {.status = 301, .headers = {{"Location", "/rules.txt"}}};
    site.replies["/rules.txt"] = {.body = "User-agent: *\nContent-Usage: /4 search=n\n"};
    const std::string body = kProse + "<a href=/3></a><a href=/4></a>";
    site.replies["/1"] = html_reply("TDM-Reservation", "1", body);
    site.replies["/2"] = html_reply("TDM-Reservation", "0", body);
    const Config config = reserving_config(extract::Purpose::search);
    aio::SimulatedLoop loop;
    loop.run(crawl_made_site(loop, site, config, made_options(), true, true, kAllPages));
    const auto before = lines_of(loop.files());
    EXPECT_EQ(withheld(before, "/1"), "tdm-reservation=1");
    EXPECT_EQ(withheld(before, "/2"), "");
    EXPECT_EQ(withheld(before, "/4"), "search=n");
    loop.files().remove(kReservedTextPath);

    loop.run([&]() -> Co<> { co_await repair(config, made_options()); }());

    EXPECT_EQ(lines_of(loop.files()), before);
}

TEST(ReservedText, AFieldOfAnAnswerWithoutBodyReplacesTheStoredOne) {
    http::Headers stored;
    stored.add("Content-Type", "text/html");
    stored.add("TDM-Reservation", "0");
    stored.add("X-Robots-Tag", "noindex");
    http::Headers fresh;
    fresh.add("Content-Type", "text/plain");
    fresh.add("tdm-reservation", "1");
    const http::Headers both = with_new_reservations(stored, fresh);
    EXPECT_EQ(both.joined("TDM-Reservation"), "1");
    EXPECT_EQ(both.joined("X-Robots-Tag"), "noindex");
    EXPECT_EQ(both.joined("Content-Type"), "text/html");
}

}  // namespace
}  // namespace weft::crawl
