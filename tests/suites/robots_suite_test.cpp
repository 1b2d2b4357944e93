#include <algorithm>
#include <map>

#include <gtest/gtest.h>

#include "conformance.h"
#include "web/robots/robots.h"

namespace weft::suites {
namespace {

// Google's matcher takes escapes as they are and does not know that /robots.txt is always allowed;
// where that matters the RFC rules, so such rows prove nothing either way.
bool differs_by_rfc(const std::string& robots, const std::string& url) {
    return web::robots_path(url) == "/robots.txt" || robots.contains('%') || url.contains('%') ||
           !std::ranges::all_of(url, [](unsigned char c) { return c < 0x80; });
}

// Rows `{robots, agent, url, allowed}`; `is_apart` says which are counted, not required.
template <class IsApart>
void run(const std::string& file, IsApart is_apart) {
    int passed = 0, apart = 0;
    for (const Json& row : suites::rows(file)) {
        const std::string robots = bytes_of(row, "robots");
        const std::string agent = row["agent"], url = row["url"];
        const bool allowed = web::Robots::parse(robots).allows(agent, web::robots_path(url));
        if (allowed == row["allowed"]) {
            ++passed;
        } else if (is_apart(row, robots, url)) {
            ++apart;
        } else {
            ADD_FAILURE() << row.dump().substr(0, 1000);
        }
    }
    std::printf("%s: %d passed, %d differ where they may\n", file.c_str(), passed, apart);
}

const auto kNone = [](const Json&, const std::string&, const std::string&) { return false; };
const auto kRfcWins = [](const Json&, const std::string& robots, const std::string& url) {
    return differs_by_rfc(robots, url);
};

}  // namespace

TEST(RobotsSuite, Rfc9309Examples) {
    WEFT_NEED_SUITE("robots");
    run("robots/rfc9309_examples.json", kNone);
}

TEST(RobotsSuite, GoogleRobotsTest) {
    WEFT_NEED_SUITE("robots");
    run("robots/google_robots_test.json",
        [](const Json& row, const std::string& robots, const std::string& url) {
            return row["test"] == "GoogleOnly_LineTooLong" || differs_by_rfc(robots, url);
        });
}

TEST(RobotsSuite, GoogleSpecTest) {
    WEFT_NEED_SUITE("robots");
    run("robots/google_spec_test.json", kRfcWins);
}

TEST(RobotsSuite, CrawlerCommons) {
    WEFT_NEED_SUITE("robots");
    run("robots/crawler_commons.json", kRfcWins);
}

TEST(RobotsSuite, ProtegoAndRobotsParser) {
    WEFT_NEED_SUITE("robots");
    run("robots/protego_robotsparser.json", kRfcWins);
}

TEST(RobotsSuite, RealFiles) {
    WEFT_NEED_SUITE("robots/real");
    std::map<std::string, web::Robots> files;
    int passed = 0, apart = 0;
    for (const Json& row : suites::rows("robots/real/decisions.json")) {
        const std::string name = row["file"], url = row["url"];
        if (!files.contains(name)) {
            const std::string bytes = read_file(conformance_folder() / "robots/real" / name);
            files.emplace(name, web::Robots::parse(bytes));
        }
        const auto decision =
            files.at(name).decide(row["agent"].get<std::string>(), web::robots_path(url));
        const bool has_escape = url.contains('%') || decision.rule.contains('%');
        if (decision.allowed == row["allowed"]) {
            ++passed;
        } else if (has_escape || web::robots_path(url) == "/robots.txt") {
            ++apart;
        } else {
            ADD_FAILURE() << row << " decided by line " << decision.line;
        }
    }
    std::printf("real files: %d passed, %d differ where they may\n", passed, apart);
}

}  // namespace weft::suites
