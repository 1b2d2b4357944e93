#include <gtest/gtest.h>

#include "conformance.h"
#include "web/robots/robots.h"

namespace weft::suites {
namespace {

double seconds(const std::optional<Duration>& delay) {
    return delay ? std::chrono::duration<double>(*delay).count() : -1;
}

std::string clock_text(Duration time) {
    const auto minutes = time / 1min;
    return fmt::format("{:02}:{:02}:00", minutes / 60, minutes % 60);
}

Json span_of(const std::optional<web::VisitTime>& time) {
    if (!time) return {"None", "None"};
    return {clock_text(time->begins), clock_text(time->ends)};
}

void check_extra(const Json& row) {
    const web::Robots robots = web::Robots::parse(bytes_of(row, "robots"));
    const std::string kind = row["kind"];
    const Json& value = row["value"];
    // A crawler of several names has the delay of the first that a group names.
    std::vector<std::string> agents = row.value("agents", std::vector<std::string>{});
    if (row.contains("args"))
        agents = {row["args"].value("user_agent", Json("*")).is_null()
                      ? "*"
                      : row["args"].value("user_agent", "*")};
    if (kind == "crawl_delay" || kind == "crawl_delay_ms") {
        const double unit = kind == "crawl_delay" ? 1 : 1000;
        const double expected = value.is_null() ? -1 : value.get<double>() / unit;
        double found = -1;
        for (const std::string& agent : agents)
            found = std::max(found, seconds(robots.crawl_delay(agent)));
        EXPECT_EQ(found, expected) << row;
    } else if (kind == "sitemaps") {
        EXPECT_EQ(Json(robots.sitemaps()), value) << row;
    } else if (kind == "preferred_host") {
        EXPECT_EQ(Json(robots.preferred_host()), value.is_null() ? Json("") : value) << row;
    } else if (kind == "request_rate") {
        const auto rate = robots.request_rate(agents.at(0));
        ASSERT_EQ(rate.has_value(), !value.is_null()) << row;
        if (!rate) return;
        const Json time = span_of(rate->time);
        EXPECT_EQ(Json({rate->request_count, rate->period / 1s, time[0], time[1]}), value) << row;
    } else if (kind == "visit_time") {
        const auto time = robots.visit_time(agents.at(0));
        EXPECT_EQ(time ? span_of(time) : Json(), value) << row;
    } else {
        ADD_FAILURE() << "unknown kind: " << row;
    }
}

}  // namespace

TEST(RobotsSuite, Extras) {
    WEFT_NEED_SUITE("robots");
    for (const Json& row : suites::rows("robots/crawler_commons_extras.json")) check_extra(row);
    for (const Json& row : suites::rows("robots/protego_robotsparser_extras.json"))
        check_extra(row);
}

TEST(RobotsSuite, ScrapySitemaps) {
    WEFT_NEED_SUITE("sitemaps");
    for (const Json& row : suites::rows("sitemaps/scrapy_robots_sitemaps.json")) {
        std::vector<std::string> found;
        for (std::string sitemap : web::Robots::parse(bytes_of(row, "robots")).sitemaps()) {
            // Resolving is the URL parser's work; these are plain.
            if (sitemap.starts_with('/')) sitemap = row["base_url"].get<std::string>() + sitemap;
            if (sitemap.starts_with("HTTP:")) sitemap.replace(0, 5, "http:");
            found.push_back(sitemap);
        }
        EXPECT_EQ(Json(found), row["sitemaps"]);
    }
}

}  // namespace weft::suites
