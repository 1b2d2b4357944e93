#include <gtest/gtest.h>

#include "conformance.h"
#include "web/robots/robots.h"
#include "web/robots/robots_line.h"
#include "web/robots/robots_pattern.h"

namespace weft::suites {
namespace {

void check_lines(const Json& row) {
    const std::string text = web::robots_text(bytes_of(row, "robots"));
    web::RobotsLines lines(text);
    int valid = 0, unknown = 0;
    std::uint32_t last = 0;
    while (const auto line = lines.next()) {
        last = line->number;
        ++(line->field == web::RobotsField::unknown ? unknown : valid);
    }
    EXPECT_EQ(valid, row["valid_directives"]) << row;
    EXPECT_EQ(unknown, row.value("unknown_directives", 0)) << row;
    if (row.contains("last_line")) EXPECT_EQ(last, row["last_line"]) << row;
}

}  // namespace

TEST(RobotsSuite, GoogleParserDetails) {
    WEFT_NEED_SUITE("robots");
    for (const Json& row : suites::rows("robots/google_parser_details.json")) {
        if (row.contains("valid_directives")) check_lines(row);
        if (row.contains("sitemaps")) {
            EXPECT_EQ(Json(web::Robots::parse(bytes_of(row, "robots")).sitemaps()),
                      row["sitemaps"]);
        }
        if (row.contains("valid")) {
            EXPECT_EQ(web::is_product_token(row["agent"].get<std::string>()), row["valid"]) << row;
        }
        if (row.contains("path")) {
            EXPECT_EQ(Json(web::robots_path(row["url"].get<std::string>())), row["path"]) << row;
        }
        if (row.contains("escaped")) {
            const auto pattern = web::normalize_pattern(row["pattern"].get<std::string>());
            EXPECT_EQ(Json(pattern.text), row["escaped"]) << row;
        }
    }
}

}  // namespace weft::suites
