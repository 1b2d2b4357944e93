// H41 to H46: bodies that are not what they say, or unpack into far more.
#include <array>

#include <brotli/encode.h>
#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "aio/task/task_group.h"
#include "hostile/arena.h"
#include "http/client/client.h"
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

namespace {

// Counts the turns of others, from the first content on, and the most content between two of them.
class TurnSink final : public http::ResponseSink {
public:
    void on_content(std::string_view piece) override {
        if (!others_) others_ = aio::create_task(count_turns());
        if (std::exchange(seen_, turn_count) != turn_count) run_bytes_ = 0;
        run_bytes_ += piece.size();
        run_bytes_max = std::max(run_bytes_max, run_bytes_);
        content_bytes += piece.size();
    }

    std::size_t turn_count = 0;
    std::size_t run_bytes_max = 0;
    std::size_t content_bytes = 0;

private:
    aio::Co<> count_turns() {
        // Not for ever: in virtual time no time passes while somebody has work.
        while (content_bytes < kContentBytesMax) {
            ++turn_count;
            co_await aio::yield_now();
        }
    }

    std::optional<aio::Task<>> others_;
    std::size_t seen_ = 0;
    std::size_t run_bytes_ = 0;
};

aio::Co<http::Response> fetch_beside_others(Arena& arena, TurnSink& sink) {
    http::Response response;
    co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
        group.create_task(arena.serve_all());
        http::ClientOptions options;
        options.limits.content_bytes_max = kContentBytesMax;
        http::Client client(std::move(options));
        response =
            co_await client.fetch({.url = web::Url::parse("http://evil.test/").value()}, sink);
        group.cancel();
    });
    co_return response;
}

// Brotli's blocks for programs, which a reader skips.
std::string brotli_metadata(std::size_t bytes) {
    BrotliEncoderState* state = BrotliEncoderCreateInstance(nullptr, nullptr, nullptr);
    const std::string text(std::min<std::size_t>(bytes, 1_MiB), '\0');
    std::string out;
    const auto put = [&](BrotliEncoderOperation operation, std::string_view input) {
        std::size_t left = input.size();
        const auto* from = reinterpret_cast<const std::uint8_t*>(input.data());
        do {
            std::array<std::uint8_t, 64_KiB> room;
            std::size_t free = room.size();
            std::uint8_t* to = room.data();
            BrotliEncoderCompressStream(state, operation, &left, &from, &free, &to, nullptr);
            out.append(room.begin(), room.end() - static_cast<std::ptrdiff_t>(free));
        } while (left > 0 || BrotliEncoderHasMoreOutput(state));
    };
    for (std::size_t i = 0; i < bytes; i += text.size()) {
        put(BROTLI_OPERATION_EMIT_METADATA, text);
    }
    put(BROTLI_OPERATION_FINISH, "");
    BrotliEncoderDestroyInstance(state);
    return out;
}

}  // namespace

TEST(Hostile, H41OthersRunWhileABombUnpacks) {
    const std::string bomb = brotli(zeros());
    ASSERT_LT(bomb.size(), 4096u);

    Arena arena;
    arena.serve({read_request(), send(coded("br", bomb))});
    TurnSink sink;
    const http::Response response = arena.loop().run(fetch_beside_others(arena, sink));

    EXPECT_EQ(response.status, 200);
    EXPECT_EQ(sink.content_bytes, kContentBytesMax);
    EXPECT_LE(sink.run_bytes_max, aio::kBytesPerTurnMax + limits::kDecodeStepBytes);
    EXPECT_GE(sink.turn_count, kContentBytesMax / aio::kBytesPerTurnMax / 2);
}

// That others run meanwhile is a test of the client's Content.
TEST(Hostile, H41ABombThatUnpacksToNothingEnds) {
    using namespace std::string_literals;
    const std::size_t bytes = kContentBytesMax / 2;
    const std::string skipped =
        "\x50\x2a\x4d\x18"s + "\x00\x00\x80\x00"s + std::string(bytes, '\0');
    const std::string named = "\x1f\x8b\x08\x08\0\0\0\0\0\x03"s + std::string(bytes, 'n');
    std::string empty_blocks = "\x78\x9c";
    while (empty_blocks.size() < bytes) empty_blocks += "\0\0\0\xff\xff"s;
    struct Row {
        std::string_view coding;
        const std::string& inner;
        std::string_view failure;
    };
    const std::string metadata = brotli_metadata(bytes);
    for (const Row& row :
         {Row{"zstd, gzip", skipped, ""}, Row{"gzip, gzip", named, "truncated"},
          Row{"br, gzip", metadata, ""}, Row{"deflate, gzip", empty_blocks, "truncated"}}) {
        SCOPED_TRACE(row.coding);
        const std::string bomb = gzip(row.inner);
        ASSERT_LT(bomb.size(), 200u * 1024);

        const Ending ending = fetch_body(row.coding, bomb);

        EXPECT_EQ(ending.failure, row.failure) << ending.what;
        EXPECT_EQ(ending.content, "");
    }
}

TEST(Hostile, H41EveryPairOfCodingsIsCutAtTheBound) {
    const std::string& content = zeros();
    const std::vector<std::pair<std::string, std::string (*)(std::string_view)>> coders{
        {"gzip", gzip}, {"br", brotli}, {"deflate", zlib}, {"zstd", [](std::string_view text) {
                                                                return zstd(text);
                                                            }}};
    for (const auto& [inner, code_inner] : coders) {
        const std::string once = code_inner(content);
        for (const auto& [outer, code_outer] : coders) {
            SCOPED_TRACE(inner + ", " + outer);
            const Ending ending = fetch_body(inner + ", " + outer, code_outer(once));

            expect_answer(ending, 200, {.resident_bytes_max = 64_MiB});
            EXPECT_EQ(ending.response.cut, http::Cut::length);
            EXPECT_EQ(ending.response.content_bytes, kContentBytesMax);
        }
    }
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
    for (const std::string_view coding :
         {"gzip", "br", "zstd", "deflate", "gzip, br", "zstd, gzip"}) {
        expect_answer(fetch_body(coding, ""), 200);  // Announced, and nothing came.
    }
    for (const auto& [coding, body] :
         {std::pair("gzip", gzip("")), std::pair("br", brotli("")), std::pair("zstd", zstd("")),
          std::pair("deflate", zlib("")), std::pair("gzip, br", brotli(gzip("")))}) {
        const Ending ending = fetch_body(coding, body);
        expect_answer(ending, 200);
        EXPECT_EQ(ending.content, "") << coding;
    }
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
