// What goes into an answer: ranges, conditions, types, embedded files, routes.
#include <gtest/gtest.h>

#include "http/message/content_type.h"
#include "http/served.h"
#include "http/server/asset.h"
#include "http/server/folder_page.h"
#include "http/server/precondition.h"
#include "http/server/range_choice.h"
#include "http/server/router.h"

namespace weft::http {

std::span<const Asset> folder_assets();
std::span<const Asset> test_assets();

namespace {

using aio::Co;
using Kind = RangeChoice::Kind;

std::string describe(const RangeChoice& choice) {
    if (choice.kind == Kind::whole) return "whole";
    if (choice.kind == Kind::unsatisfiable) return "416";
    return fmt::format("{}+{}", choice.first, choice.count);
}

ServerRequest request_with(std::string_view name, std::string_view value,
                           std::string method = "GET") {
    ServerRequest request{.method = std::move(method), .target = "/"};
    request.headers.add(name, value);
    return request;
}

const Validators kStrong{.etag = "\"v1\"", .modified = web::DateSeconds(784111777s)};
const Validators kWeak{.etag = "W/\"v1\"", .modified = web::DateSeconds(784111777s)};
constexpr std::string_view kDate = "Sun, 06 Nov 1994 08:49:37 GMT";
constexpr std::string_view kBefore = "Sun, 06 Nov 1994 08:49:36 GMT";

Precondition judge(const ServerRequest& request, const Validators& validators = kStrong) {
    return judge_preconditions(request, validators, WallTime(800000000s));
}

}  // namespace

TEST(RangeChoice, OneRangeIsCutToTheBodyAndTheRestIsIgnored) {
    const std::pair<const char*, const char*> rows[] = {
        {"bytes=0-0", "0+1"},
        {"bytes=0-99", "0+100"},
        {"bytes=0-100", "0+100"},
        {"bytes=90-", "90+10"},
        {"BYTES=5-9", "5+5"},
        {"bytes=-1", "99+1"},
        {"bytes=-100", "0+100"},
        {"bytes=-101", "0+100"},
        {"bytes=99-99", "99+1"},
        {"bytes=5-18446744073709551616", "5+95"},
        {"bytes=100-", "416"},
        {"bytes=-0", "416"},
        {"bytes=18446744073709551616-", "416"},
        {"bytes=9-5", "whole"},
        {"bytes=0-1,3-4", "whole"},
        {"bytes=a-b", "whole"},
        {"bytes=1-b", "whole"},
        {"bytes=+1-2", "whole"},
        {"bytes=-", "whole"},
        {"bytes=", "whole"},
        {"bytes", "whole"},
        {"lines=1-2", "whole"},
        {"", "whole"},
    };
    for (const auto& [field, expected] : rows) {
        EXPECT_EQ(describe(choose_range(field, 100)), expected) << field;
    }
    EXPECT_EQ(describe(choose_range("bytes=0-", 0)), "416");
    EXPECT_EQ(describe(choose_range("bytes=-5", 0)), "416");
}

TEST(Precondition, AnEntityTagThatTheClientHasIsNotSentAgain) {
    for (const char* list : {"\"v1\"", "W/\"v1\"", "\"v0\", \"v1\"", "*", " W/\"a,b\" ,\"v1\""}) {
        EXPECT_EQ(judge(request_with("If-None-Match", list)), Precondition::not_modified) << list;
        EXPECT_EQ(judge(request_with("If-None-Match", list), kWeak), Precondition::not_modified);
        EXPECT_EQ(judge(request_with("If-None-Match", list, "PUT")), Precondition::fails) << list;
    }
    for (const char* list : {"\"v2\"", "v1", "\"v1", "", "\"V1\""}) {
        EXPECT_EQ(judge(request_with("If-None-Match", list)), Precondition::holds) << list;
    }
}

TEST(Precondition, ADateCountsOnlyWithoutAnEntityTag) {
    EXPECT_EQ(judge(request_with("If-Modified-Since", kDate)), Precondition::not_modified);
    EXPECT_EQ(judge(request_with("If-Modified-Since", kBefore)), Precondition::holds);
    EXPECT_EQ(judge(request_with("If-Modified-Since", "yesterday")), Precondition::holds);
    ServerRequest both = request_with("If-None-Match", "\"v2\"");
    both.headers.add("If-Modified-Since", kDate);
    EXPECT_EQ(judge(both), Precondition::holds);
}

TEST(Precondition, AStateThatIsNotTheWantedOneFails) {
    EXPECT_EQ(judge(request_with("If-Match", "\"v1\"")), Precondition::holds);
    EXPECT_EQ(judge(request_with("If-Match", "*")), Precondition::holds);
    EXPECT_EQ(judge(request_with("If-Match", "\"v2\"")), Precondition::fails);
    EXPECT_EQ(judge(request_with("If-Match", "W/\"v1\""), kWeak), Precondition::fails);
    EXPECT_EQ(judge(request_with("If-Unmodified-Since", kDate)), Precondition::holds);
    EXPECT_EQ(judge(request_with("If-Unmodified-Since", kBefore)), Precondition::fails);
}

TEST(Precondition, ARangeHoldsOnlyForTheStateItWasMeantFor) {
    const auto allows = [](std::string_view value, const Validators& validators) {
        return allows_range(request_with("If-Range", value), validators, WallTime(800000000s));
    };
    EXPECT_TRUE(allows("\"v1\"", kStrong));
    EXPECT_TRUE(allows(kDate, kStrong));
    EXPECT_FALSE(allows("W/\"v1\"", kWeak));
    EXPECT_FALSE(allows("\"v2\"", kStrong));
    EXPECT_FALSE(allows(kBefore, kStrong));
    EXPECT_FALSE(allows("soon", kStrong));
    EXPECT_TRUE(allows_range(ServerRequest{}, kStrong, WallTime()));
}

TEST(ContentType, GoesByTheEndOfTheName) {
    EXPECT_EQ(content_type_of("a/index.HTML"), "text/html; charset=utf-8");
    EXPECT_EQ(content_type_of("x.tar.gz"), "application/gzip");
    EXPECT_EQ(content_type_of("README"), "application/octet-stream");
    EXPECT_EQ(content_type_of("odd."), "application/octet-stream");
    EXPECT_EQ(content_type_of(""), "application/octet-stream");
}

TEST(Asset, FilesAreInTheProgramByteForByte) {
    const Asset* css = find_asset(folder_assets(), "assets/folder.css");
    ASSERT_TRUE(css);
    EXPECT_TRUE(css->bytes.starts_with(":root { color-scheme"));
    EXPECT_TRUE(css->bytes.ends_with("}\n"));

    const Asset* bytes = find_asset(test_assets(), "http/assets/bytes.bin");
    ASSERT_TRUE(bytes);
    EXPECT_EQ(bytes->bytes, std::string_view("\0\x01;\\\"\n\r$ {}[]\xFF\x7F\0", 16));
    ASSERT_TRUE(find_asset(test_assets(), "http/assets/empty.txt"));
    EXPECT_EQ(find_asset(test_assets(), "http/assets/empty.txt")->bytes, "");
    EXPECT_FALSE(find_asset(test_assets(), "http/assets/../assets/empty.txt"));
}

TEST(Asset, IsSentOnceToAClientThatKeepsIt) {
    const Asset& css = *find_asset(folder_assets(), "assets/folder.css");

    const Reply fresh = asset_reply(css, ServerRequest{.method = "GET"});
    const Reply again = asset_reply(css, request_with("If-None-Match", css.etag));

    EXPECT_EQ(fresh.status, 200);
    EXPECT_EQ(fresh.body, css.bytes);
    EXPECT_EQ(fresh.headers[2].second, "text/css; charset=utf-8");
    EXPECT_EQ(again.status, 304);
    EXPECT_EQ(again.body, "");
}

TEST(FolderPage, NamesAreEscapedInTextAndLinks) {
    const std::vector<aio::Folder::Entry> entries = {
        {.name = "\"><script>.txt", .kind = aio::Folder::Kind::file, .size_bytes = 2048},
        {.name = "50%25 a/b?#&.txt", .kind = aio::Folder::Kind::file},
        {.name = "javascript:x", .kind = aio::Folder::Kind::folder},
    };

    const std::string page = folder_page("/<b>/", entries, true);

    EXPECT_EQ(page.find("<script>"), std::string::npos);
    EXPECT_EQ(page.find("<b>"), std::string::npos);
    EXPECT_NE(page.find("href=\"./%22%3E%3Cscript%3E.txt\""), std::string::npos) << page;
    EXPECT_NE(page.find("href=\"./50%2525%20a%2Fb%3F%23%26.txt\""), std::string::npos) << page;
    EXPECT_NE(page.find("href=\"./javascript%3Ax/\""), std::string::npos) << page;
    EXPECT_LT(page.find("javascript"), page.find("50%"));
    EXPECT_NE(page.find("2.00 KiB"), std::string::npos) << page;
}

TEST(Router, TheLongestPathWinsAndMethodsAreToldApart) {
    const auto say = [](std::string words) -> Handler {
        return [words = std::move(words)](const ServerRequest&, Responder& responder) -> Co<> {
            co_await responder.reply({.body = words});
        };
    };
    Router router;
    router.add("GET", "/", say("home"));
    router.add("GET", "/api/*", say("api"));
    router.add("GET", "/api/state", say("state"));
    router.add("POST", "/api/state", say("changed"));
    with_server(router.handler(), {}, [](Served& served) -> Co<> {
        const std::tuple<const char*, const char*, int, const char*> rows[] = {
            {"GET", "/", 200, "home"},
            {"GET", "/?q", 200, "home"},
            {"HEAD", "/", 200, ""},
            {"GET", "/api/", 200, "api"},
            {"GET", "/api/other", 200, "api"},
            {"GET", "/api/state?x=1", 200, "state"},
            {"POST", "/api/state", 200, "changed"},
            {"GET", "/nowhere", 404, "404 Not Found\n"},
            {"GET", "/api", 404, "404 Not Found\n"},
            {"DELETE", "/api/state", 405, "405 Method Not Allowed\n"},
            {"OPTIONS", "/api/state", 204, ""},
        };
        for (const auto& [method, target, status, body] : rows) {
            const std::string answer = co_await served.ask(fmt::format(
                "{} {} HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n", method, target));
            EXPECT_EQ(status_in(answer), status) << method << target;
            EXPECT_EQ(body_of(answer), body) << method << target;
            if (status == 405 || status == 204) {
                EXPECT_NE(answer.find("Allow: OPTIONS, GET, HEAD, POST\r\n"), std::string::npos);
            }
        }
    });
}

}  // namespace weft::http
