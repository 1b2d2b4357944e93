// Our client and a real nginx.
#include "http/nginx.h"

namespace weft::http {
namespace {

using aio::Co;

class PeerNginx : public testing::Test {
protected:
    void SetUp() override {
        if (!Nginx::is_installed()) GTEST_SKIP() << "nginx is not installed (./test --all does)";
        nginx.emplace();
    }

    web::Url plain(std::string_view path) const {
        return peer_url("http", nginx->plain_port, path);
    }
    web::Url tls(std::string_view path) const { return peer_url("https", nginx->tls13_port, path); }

    std::optional<Nginx> nginx;
};

}  // namespace

TEST_F(PeerNginx, KeepsAConnectionUntilNginxHasHadEnough) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        std::string first;
        for (int i = 1; i <= 9; ++i) {
            const Fetched got = co_await fetch(client, {.url = plain("/say/connection")});
            const std::size_t space = got.content.find(' ');
            if (i % 4 == 1) first = got.content.substr(0, space);
            EXPECT_EQ(got.content, fmt::format("{} {}", first, (i - 1) % 4 + 1));
            EXPECT_EQ(got.response.reused_connection, i % 4 != 1) << i;
        }
    });
}

TEST_F(PeerNginx, ReadsLengthsChunksAndNothingAtAll) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        const Fetched length = co_await fetch(client, {.url = plain("/brief.txt")});
        EXPECT_EQ(length.content, kBrief);
        EXPECT_EQ(length.response.headers.get("Content-Length"), "18");

        const Fetched chunked = co_await fetch(client, {.url = plain("/folder/")});
        EXPECT_EQ(chunked.response.headers.get("Transfer-Encoding"), "chunked");
        EXPECT_NE(chunked.content.find("<a href=\"page.html\">"), std::string::npos);

        const Fetched nothing = co_await fetch(client, {.url = plain("/say/nothing")});
        EXPECT_EQ(nothing.response.status, 204);
        const Fetched head = co_await fetch(client, {.url = plain("/long.txt"), .method = "HEAD"});
        EXPECT_EQ(head.content, "");
        EXPECT_TRUE(head.response.reused_connection);
        const Fetched missing = co_await fetch(client, {.url = plain("/missing")});
        EXPECT_EQ(missing.response.status, 404);
        const Fetched moved = co_await fetch(client, {.url = plain("/say/moved")});
        EXPECT_EQ(moved.response.status, 301);
    });
}

TEST_F(PeerNginx, UnpacksWhatNginxPacksAndKeepsTheBytesOfTheWire) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        const Fetched got = co_await fetch(client, {.url = plain("/long.txt")});

        EXPECT_EQ(got.response.headers.get("Content-Encoding"), "gzip");
        EXPECT_EQ(got.response.headers.get("Transfer-Encoding"), "chunked");
        EXPECT_TRUE(got.content == long_text());
        EXPECT_LT(got.wire.size(), got.content.size());
        EXPECT_EQ(got.wire.size(), got.response.wire_bytes);
    });
}

TEST_F(PeerNginx, AnUnchangedPageIsNotSentAgain) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        const Fetched first = co_await fetch(client, {.url = plain("/brief.txt")});
        Request again{.url = plain("/brief.txt")};
        again.headers.add("If-None-Match", first.response.headers.get("ETag").value_or(""));
        const Fetched second = co_await fetch(client, std::move(again));

        EXPECT_EQ(second.response.status, 304);
        EXPECT_EQ(second.content, "");
    });
}

TEST_F(PeerNginx, SpeaksTls12AndTls13AndResumesBoth) {
    ClientOptions options = peer_options(&nginx->authority);
    options.protocols = Protocols::http1;  // HTTP/2 would keep the connection.
    with_client(std::move(options), [&](Client& client) -> Co<> {
        for (const auto& [port, version] :
             {std::pair{nginx->tls12_port, "TLSv1.2"}, std::pair{nginx->tls13_port, "TLSv1.3"}}) {
            const web::Url once = peer_url("https", port, "/once/");
            const Fetched first = co_await fetch(client, {.url = once});
            const Fetched second = co_await fetch(client, {.url = once});

            EXPECT_EQ(first.response.tls_protocol, version);
            EXPECT_EQ(first.content, fmt::format("{} .", version));
            EXPECT_FALSE(second.response.reused_connection);
            EXPECT_EQ(second.content, fmt::format("{} r", version)) << "not resumed";
        }
    });
}

TEST_F(PeerNginx, ACertificateOfAStrangerIsRefused) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        std::optional<Failure> failure;
        try {
            co_await fetch(client, {.url = tls("/brief.txt")});
        } catch (const FetchError& error) {
            failure = error.failure();
        }
        EXPECT_EQ(failure, Failure::tls_certificate);
    });
}

TEST_F(PeerNginx, H32PlainWordsToATlsPortAreNginxsOwn400) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        const Fetched got =
            co_await fetch(client, {.url = peer_url("http", nginx->tls13_port, "/brief.txt")});
        EXPECT_EQ(got.response.status, 400);
        EXPECT_NE(got.content.find("plain HTTP request was sent to HTTPS"), std::string::npos);
    });
}

TEST_F(PeerNginx, ACloseInsteadOfAnAnswerIsNoAnswer) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        std::optional<Failure> failure;
        try {
            co_await fetch(client, {.url = plain("/say/cut")});
        } catch (const FetchError& error) {
            failure = error.failure();
        }
        EXPECT_EQ(failure, Failure::closed_early);
    });
}

TEST_F(PeerNginx, SpeaksHttp2) {
    with_client(peer_options(&nginx->authority), [&](Client& client) -> Co<> {
        const Fetched got = co_await fetch(client, {.url = tls("/say/protocol")});
        EXPECT_EQ(got.response.protocol, "h2");
        EXPECT_EQ(got.content, "HTTP/2.0 TLSv1.3");
        const Fetched page = co_await fetch(client, {.url = tls("/long.txt")});
        EXPECT_TRUE(page.content == long_text());
    });
}

}  // namespace weft::http
