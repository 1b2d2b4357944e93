// What a fetch does beyond one plain GET: bodies both ways, parts, conditions, a second try.
#include <gtest/gtest.h>

#include "aio/net/server.h"
#include "aio/task/sleep.h"
#include "http/with_site.h"

namespace weft::http {
namespace {

using aio::Co;
using tests::TestSite;

web::Url url_of(const aio::Server& server) {
    return web::Url::parse(fmt::format("http://127.0.0.1:{}/", server.local().port)).value();
}

}  // namespace

TEST(Stream, ReadsPieceByPieceWithBackPressure) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        constexpr std::size_t kPieceBytes = 64 * 1024;
        constexpr std::size_t kPieceCount = 400;
        std::size_t sent = 0;
        site.handle("/big", [&](const ServerRequest&, Responder& responder) -> Co<> {
            aio::Stream& stream = responder.stream();
            co_await stream.write(fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n",
                                              kPieceBytes * kPieceCount));
            const std::string piece(kPieceBytes, 'x');
            for (std::size_t i = 0; i < kPieceCount; ++i) {
                co_await stream.write(piece);
                sent += piece.size();
            }
        });

        Download download = co_await client.stream({.url = site.url("/big")});
        EXPECT_EQ(download.response->status, 200);
        co_await aio::sleep(50ms);
        const std::size_t sent_unread = sent;
        std::size_t bytes = 0;
        while (auto piece = co_await download.body.next()) bytes += piece->size();

        EXPECT_LT(sent_unread, kPieceBytes * kPieceCount / 2);  // What the sockets hold, no more.
        EXPECT_EQ(bytes, kPieceBytes * kPieceCount);
        EXPECT_EQ(download.response->content_bytes, bytes);
        EXPECT_GT(download.response->timings.total, Duration::zero());
    });
}

TEST(Stream, DroppedItClosesAndAtItsEndItKeepsTheConnection) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.page("/", "content");
        {
            const Download dropped = co_await client.stream({.url = site.url("/")});
        }
        Download whole = co_await client.stream({.url = site.url("/")});
        EXPECT_FALSE(whole.response->reused_connection);
        while (auto piece = co_await whole.body.next()) EXPECT_EQ(*piece, "content");
        const Download again = co_await client.stream({.url = site.url("/")});
        EXPECT_TRUE(again.response->reused_connection);
    });
}

TEST(Stream, TruncationIsAnErrorOfTheBody) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.raw("/short",
                 "HTTP/1.1 200 OK\r\nContent-Length: 2048\r\n\r\n" + std::string(512, 'x'));
        Download download = co_await client.stream({.url = site.url("/short")});
        std::string reason;
        try {
            while (co_await download.body.next()) {
            }
        } catch (const FetchError& error) {
            reason = error.reason();
        }
        EXPECT_EQ(reason, "truncated: 512 of 2048 bytes");
    });
}

TEST(RequestBody, GoesWithItsLengthOrInChunks) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.page("/", "ok");
        ResponseSink sink;
        const std::string big(1'000'000, 'b');

        co_await client.fetch({.url = site.url("/"), .method = "POST", .body = "small"}, sink);
        EXPECT_EQ(site.last().body, "small");
        EXPECT_EQ(site.last().headers.get("Content-Length"), "5");
        co_await client.fetch({.url = site.url("/"), .method = "PUT", .body = big}, sink);
        EXPECT_EQ(site.last().body.size(), big.size());
        co_await client.fetch({.url = site.url("/"), .method = "POST"}, sink);
        EXPECT_EQ(site.last().headers.get("Content-Length"), "0");

        Request chunked{.url = site.url("/"), .method = "POST"};
        chunked.body_source = [](std::uint64_t offset) -> Co<std::string> {
            co_return offset < 30 ? fmt::format("at {:<7}", offset) : "";
        };
        const Response response = co_await client.fetch(std::move(chunked), sink);
        EXPECT_EQ(site.last().body, "at 0      at 10     at 20     ");
        EXPECT_EQ(site.last().headers.get("Transfer-Encoding"), "chunked");
        EXPECT_TRUE(response.reused_connection);
    });
}

TEST(Range, H31OnlyThePartAskedForIsTaken) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        const auto part = [&](std::string path, std::string range, std::string body) {
            site.reply(std::move(path), {.status = 206,
                                         .headers = {{"Content-Range", std::move(range)}},
                                         .body = std::move(body)});
        };
        part("/good", "bytes 2-4/10", "cde");
        part("/end", "bytes 2-3/4", "cd");
        part("/early", "bytes 1-4/10", "bcde");
        part("/less", "bytes 2-3/10", "cd");
        part("/lie", "bytes 2-4/10", "c");
        part("/none", "", "cde");
        site.page("/whole", "abcdefghij");
        const auto failure = [&](const char* path, bool asks = true) -> Co<Failure> {
            Request request{.url = site.url(path)};
            if (asks) request.range = ByteRange{2, 4};
            ContentBuffer content;
            const FetchError error = co_await failure_of(client.fetch(std::move(request), content));
            co_return error.failure();
        };
        const auto content = [&](const char* path) -> Co<std::string> {
            ContentBuffer buffer;
            co_await client.fetch({.url = site.url(path), .range = ByteRange{2, 4}}, buffer);
            co_return buffer.content;
        };

        EXPECT_EQ(co_await content("/good"), "cde");
        EXPECT_EQ(site.last().headers.get("Range"), "bytes=2-4");
        EXPECT_EQ(site.last().headers.get("Accept-Encoding"), "identity");
        EXPECT_EQ(co_await content("/end"), "cd");
        EXPECT_EQ(co_await content("/whole"), "abcdefghij");
        EXPECT_EQ(co_await failure("/early"), Failure::bad_response);
        EXPECT_EQ(co_await failure("/less"), Failure::bad_response);
        EXPECT_EQ(co_await failure("/none"), Failure::bad_response);
        EXPECT_EQ(co_await failure("/lie"), Failure::truncated);
        EXPECT_EQ(co_await failure("/good", false), Failure::bad_response);
    });
}

TEST(Range, IsReadAsPeopleWriteIt) {
    EXPECT_EQ(ByteRange::parse("0-499")->to_header(), "bytes=0-499");
    EXPECT_EQ(ByteRange::parse("500-")->to_header(), "bytes=500-");
    EXPECT_EQ(ByteRange::parse("-500")->to_header(), "bytes=-500");
    for (const char* bad :
         {"", "-", "5", "5-4", "-0", "a-b", "1-2,4-5", "1 -2", "99999999999999999999-"}) {
        EXPECT_FALSE(ByteRange::parse(bad)) << bad;
    }
    for (const char* bad : {"", "bytes", "bytes 5-4/10", "bytes 0-9/9", "bytes */10", "0-9/10",
                            "bytes 0-9", "items 0-9/10", "bytes 0-9/x"}) {
        EXPECT_FALSE(ContentRange::parse(bad)) << bad;
    }
    EXPECT_TRUE(ContentRange::parse("bytes 0-9/*"));
}

TEST(Retry, H09OnlyARequestThatMayBeSentTwiceIs) {
    aio::run([]() -> Co<> {
        // Answers the first request of each connection; at the second it closes without a word.
        std::size_t connection_count = 0;
        std::size_t request_count = 0;
        const aio::Server server = aio::start_server(
            [&](aio::Stream stream) -> Co<> {
                ++connection_count;
                co_await stream.readuntil("\r\n\r\n", 10'000);
                ++request_count;
                co_await stream.write("HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                co_await stream.readuntil("\r\n\r\n", 10'000);
                ++request_count;
            },
            {aio::IpAddress::loopback(), 0});
        Client client(local_options());
        ContentBuffer page;

        co_await client.fetch({.url = url_of(server)}, page);
        const Response second = co_await client.fetch({.url = url_of(server)}, page);
        EXPECT_EQ(page.content, "ok");
        EXPECT_FALSE(second.reused_connection);
        EXPECT_EQ(connection_count, 2u);
        const FetchError error = co_await failure_of(
            client.fetch({.url = url_of(server), .method = "POST", .body = "x"}, page));

        EXPECT_EQ(error.failure(), Failure::closed_early);
        EXPECT_EQ(error.phase(), Phase::head);
        EXPECT_EQ(connection_count, 2u);
    }());
}

TEST(Failure, SaysWhereAndWhyInWords) {
    with_site([](TestSite& site, Client& client) -> Co<> {
        site.raw("/short",
                 "HTTP/1.1 200 OK\r\nContent-Length: 2048\r\n\r\n" + std::string(512, 'x'));
        ResponseSink sink;

        const FetchError error =
            co_await failure_of(client.fetch({.url = site.url("/short")}, sink));

        EXPECT_EQ(error.failure(), Failure::truncated);
        EXPECT_EQ(error.phase(), Phase::body);
        EXPECT_EQ(error.host(), site.url("/").host());
        EXPECT_EQ(error.reason(), "truncated: 512 of 2048 bytes");
        EXPECT_EQ(error.what(), error.host() + ": " + error.reason());
    });
}

}  // namespace weft::http
