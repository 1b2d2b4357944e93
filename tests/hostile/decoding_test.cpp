// H41 to H46: bodies that are not what they say, or unpack into far more.
#include <gtest/gtest.h>

#include "aio/sleep.h"
#include "aio/task.h"
#include "hostile/arena.h"
#include "support/packing.h"

namespace weft::hostile {
namespace {

using tests::brotli;
using tests::gzip;
using tests::raw_deflate;
using tests::zlib;
using tests::zstd;

std::string answer(std::string_view fields, std::string_view body) {
    return fmt::format("HTTP/1.1 200 OK\r\n{}Content-Length: {}\r\n\r\n{}", fields, body.size(),
                       body);
}

std::string coded(std::string_view coding, std::string_view body) {
    return answer(fmt::format("Content-Encoding: {}\r\n", coding), body);
}

constexpr std::size_t kContentBytesMax = 16_MiB;

Ending fetch_body(std::string_view coding, std::string_view body) {
    Arena arena;
    arena.serve({read_request(), send(coded(coding, body))});
    Fetch fetch;
    fetch.client.limits.content_bytes_max = kContentBytesMax;
    return arena.fetch(fetch);
}

const std::string& zeros() {
    static const std::string text(kContentBytesMax + 4_MiB, '\0');
    return text;
}

}  // namespace

TEST(Hostile, H41ABombIsCutAtTheBoundOnWhatItUnpacksTo) {
    const std::string& content = zeros();
    for (const auto& [coding, body] :
         {std::pair("gzip", gzip(content)), std::pair("br", brotli(content)),
          std::pair("zstd", zstd(content)), std::pair("deflate", zlib(content)),
          std::pair("gzip, gzip", gzip(gzip(content)))}) {
        const Ending ending = fetch_body(coding, body);

        expect_answer(ending, 200);
        EXPECT_EQ(ending.response.cut, http::Cut::length) << coding;
        EXPECT_EQ(ending.response.content_bytes, kContentBytesMax) << coding;
    }
}

TEST(Hostile, H41OthersRunWhileABombUnpacks) {
    Arena arena;
    const std::string bomb = coded("br", brotli(zeros()));
    ASSERT_LT(bomb.size(), 4096u);
    arena.serve({read_request(), send(bomb)});
    std::size_t turn_count = 0;
    const auto count_turns = [](std::size_t& count) -> aio::Co<> {
        for (;;) {
            co_await aio::yield_now();
            if (++count % 64 == 0) co_await aio::sleep(1ms);  // Or time stands still.
        }
    };
    const Ending ending = [&] {
        const aio::Task<> counting =
            aio::create_task_on(arena.loop().loop(), count_turns(turn_count));
        return arena.fetch();
    }();

    expect_answer(ending, 200);
    EXPECT_GE(turn_count, zeros().size() / aio::kBytesPerTurnMax / 2);
}

TEST(Hostile, H41AZstdWindowOverTheBoundIsRefused) {
    const std::string_view giant("\x28\xb5\x2f\xfd\x00\xa8\x01\x00\x00", 9);  // 2 GiB.
    expect_failure(fetch_body("zstd", giant), "bad_encoding");
    expect_failure(fetch_body("zstd", zstd(zeros(), 27)), "bad_encoding");
}

TEST(Hostile, H42MoreThanTwoCodingsAreRefused) {
    const std::string twice = gzip(gzip("hello"));
    EXPECT_EQ(fetch_body("gzip, gzip", twice).content, "hello");
    expect_failure(fetch_body("gzip, gzip, gzip", gzip(twice)), "bad_encoding");
    std::string hundred = "gzip";
    for (int i = 0; i < 99; ++i) hundred += ", gzip";
    expect_failure(fetch_body(hundred, twice), "bad_encoding");
    expect_failure(fetch_body("x-unheard-of", "hello"), "bad_encoding");

    std::string fields;
    for (int i = 0; i < 3; ++i) fields += "Content-Encoding: gzip\r\n";
    Arena arena;
    arena.serve({read_request(), send(answer(fields, twice))});
    expect_failure(arena.fetch(), "bad_encoding");
}

TEST(Hostile, H43DamageIsNeverAWholePage) {
    const std::string text(10'000, 'x');
    const std::string whole = gzip(text);
    std::string wrong_sum = whole;
    wrong_sum[wrong_sum.size() - 6] ^= 1;

    for (const std::size_t missing : {std::size_t{1}, std::size_t{8}, whole.size() - 20}) {
        const std::string_view part = std::string_view(whole).substr(0, whole.size() - missing);
        expect_failure(fetch_body("gzip", part), "truncated");
    }
    expect_failure(fetch_body("gzip", wrong_sum), "bad_encoding");
    expect_failure(fetch_body("br", brotli(text).substr(0, 5)), "truncated");
    expect_failure(fetch_body("zstd", zstd(text).substr(0, 12)), "truncated");

    EXPECT_EQ(fetch_body("gzip", gzip("hello ") + gzip("there")).content, "hello there");
    EXPECT_EQ(fetch_body("deflate", zlib("hello")).content, "hello");
    EXPECT_EQ(fetch_body("deflate", raw_deflate("hello")).content, "hello");
    EXPECT_EQ(fetch_body("gzip", "").content, "");
}

TEST(Hostile, H44ACodingThatIsNotThereIsNotUndone) {
    const Ending plain = fetch_body("gzip", "<html>plain after all</html>");
    EXPECT_EQ(plain.content, "<html>plain after all</html>");
    EXPECT_TRUE(plain.response.was_plain);

    Arena arena;
    arena.serve({read_request(), send(answer("", gzip("hello")))});
    EXPECT_EQ(arena.fetch().content, gzip("hello"));

    // An archive sent with its coding: one layer is undone, the archive stays.
    EXPECT_EQ(fetch_body("gzip", gzip(gzip("an archive"))).content, gzip("an archive"));
}

namespace {

crawl::Outcome crawl_page(std::string_view content_type, std::string_view page) {
    Arena arena;
    const Script home{
        read_request(),
        send(answer(fmt::format("Content-Type: {}\r\nConnection: close\r\n", content_type), page))};
    const Script other{read_request(), send("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n")};
    arena.serve("evil.test", 80, {home, other});
    return arena.crawl({}).front();
}

}  // namespace

TEST(Hostile, H45NoCharsetLosesALink) {
    using namespace std::string_literals;
    const std::string page = "<title>t</title><a href='/found'>x</a>";
    std::string wide;
    for (const char c : page) wide += {c, '\0'};
    for (const std::string& content_type :
         {"text/html; charset=utf-7"s, "text/html; charset=nonsense"s,
          "text/html; charset=" + std::string(60'000, 'x'), "text/html; charset=\"utf-8"s,
          "text/html; charset=windows-1252"s}) {
        const crawl::Outcome outcome = crawl_page(content_type, page);
        EXPECT_EQ(outcome.new_link_count, 1u) << content_type.substr(0, 60);
        EXPECT_EQ(outcome.title, "t");
    }
    EXPECT_EQ(crawl_page("text/html; charset=utf-8", "\xff\xfe" + wide).new_link_count, 1u);
    EXPECT_EQ(crawl_page("text/html; charset=utf-16le", "\xef\xbb\xbf" + page).new_link_count, 1u);
    EXPECT_EQ(crawl_page("text/html; charset=utf-16le", wide).new_link_count, 1u);
}

TEST(Hostile, H46BadUtf8BecomesReplacementCharacters) {
    struct Row {
        std::string_view title;
        std::string_view expected;
    };
    const Row rows[] = {
        {"\xc0\xaf", "\uFFFD\uFFFD"},
        {"\xed\xa0\x80", "\uFFFD\uFFFD\uFFFD"},
        {"\xf4\x90\x80\x80", "\uFFFD\uFFFD\uFFFD\uFFFD"},
        {"a\xff", "a\uFFFD"},
        {"a\xe2\x80\xae"
         "b",
         "a\u202E"
         "b"},
    };
    for (const Row& row : rows) {
        const crawl::Outcome outcome =
            crawl_page("text/html; charset=utf-8", fmt::format("<title>{}</title>", row.title));
        EXPECT_EQ(outcome.title, row.expected);
    }
}

}  // namespace weft::hostile
