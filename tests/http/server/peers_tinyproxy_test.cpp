// Our client, a real proxy, and a real server behind it.
#include "http/nginx.h"

namespace weft::http {
namespace {

using aio::Co;

class PeerTinyproxy : public testing::Test {
protected:
    void SetUp() override {
        const auto program = tests::find_program("tinyproxy");
        if (!program || !Nginx::is_installed()) {
            GTEST_SKIP() << "tinyproxy or nginx is not installed (./test --all does)";
        }
        nginx.emplace();
        options = peer_options(&nginx->authority);
        options.proxies.all = fmt::format("http://127.0.0.1:{}", port);
        scratch.write("tinyproxy.conf", fmt::format(R"(Port {}
Listen 127.0.0.1
Timeout 60
MaxClients 20
ViaProxyName "tiny"
ConnectPort {}
Allow 127.0.0.1
)",
                                                    port, nginx->tls13_port));
        proxy.emplace(std::vector<std::string>{program->string(), "-d", "-c",
                                               (scratch / "tinyproxy.conf").string()},
                      std::vector{port}, scratch / "output.txt");
    }

    tests::Scratch scratch;
    const std::uint16_t port = tests::free_port();
    std::optional<Nginx> nginx;
    std::optional<tests::RealServer> proxy;
    ClientOptions options;
};

}  // namespace

TEST_F(PeerTinyproxy, APlainRequestPassesThroughAndTheServerIsToldOfIt) {
    with_client(std::move(options), [&](Client& client) -> Co<> {
        const web::Url url = peer_url("http", nginx->plain_port, "/say/via");
        const Fetched got = co_await fetch(client, {.url = url});

        EXPECT_EQ(got.response.status, 200);
        EXPECT_NE(got.content.find("tiny"), std::string::npos) << got.content;
        EXPECT_NE(got.content.find(fmt::format("127.0.0.1:{} /say/via", nginx->plain_port)),
                  std::string::npos)
            << got.content;
    });
}

TEST_F(PeerTinyproxy, ATunnelCarriesTlsUnseen) {
    with_client(std::move(options), [&](Client& client) -> Co<> {
        const Fetched via =
            co_await fetch(client, {.url = peer_url("https", nginx->tls13_port, "/say/via")});
        const Fetched page =
            co_await fetch(client, {.url = peer_url("https", nginx->tls13_port, "/long.txt")});

        EXPECT_EQ(via.content, fmt::format(" 127.0.0.1:{} /say/via", nginx->tls13_port));
        EXPECT_TRUE(page.content == long_text());
        EXPECT_TRUE(page.response.reused_connection);
    });
}

TEST_F(PeerTinyproxy, ATunnelThatIsRefusedIsNoAnswerOfTheServer) {
    with_client(std::move(options), [&](Client& client) -> Co<> {
        std::string what;
        try {
            co_await fetch(client, {.url = peer_url("https", nginx->tls12_port, "/brief.txt")});
        } catch (const FetchError& error) {
            what = error.what();
        }
        EXPECT_NE(what.find("403"), std::string::npos) << what;
    });
}

}  // namespace weft::http
