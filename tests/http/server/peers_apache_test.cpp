// Our client and Debian's Apache.
#include <unistd.h>

#include "http/peers.h"

namespace weft::http {
namespace {

using aio::Co;

constexpr const char* kModules = "/usr/lib/apache2/modules";

class PeerApache : public testing::Test {
protected:
    void SetUp() override {
        const auto program = tests::find_program("apache2");
        if (!program || !std::filesystem::exists(kModules)) {
            GTEST_SKIP() << "apache2 is not installed (./test --all does)";
        }
        write_pages(scratch);
        scratch.write("apache.conf", configuration());
        server.emplace(
            std::vector<std::string>{program->string(), "-X", "-d", scratch.path().string(), "-f",
                                     (scratch / "apache.conf").string()},
            std::vector{port, tls_port}, scratch / "output.txt");
    }

    std::string configuration() {
        std::string text = fmt::format("ServerName localhost\nPidFile {0}/pid\nErrorLog {0}/log\n",
                                       scratch.path().string());
        if (::geteuid() == 0) {  // Apache serves nothing as root.
            std::filesystem::permissions(scratch.path(), std::filesystem::perms(0755));
            text += "User nobody\nGroup nogroup\n";
        }
        for (const char* name : {"mpm_event", "authz_core", "unixd", "dir", "mime", "autoindex",
                                 "filter", "deflate", "brotli", "ssl", "socache_shmcb"}) {
            const std::string file = fmt::format("{}/mod_{}.so", kModules, name);
            if (!std::filesystem::exists(file)) continue;  // Built in.
            text += fmt::format("LoadModule {}_module {}\n", name, file);
        }
        const std::string certificate = authority.issue("apache").string();
        text += fmt::format(R"(TypesConfig /dev/null
AddType text/plain .txt
AddType text/html .html
Listen 127.0.0.1:{1}
Listen 127.0.0.1:{2}
KeepAlive On
MaxKeepAliveRequests 3
DocumentRoot {0}/www
<Directory {0}/www>
    Options +Indexes
    Require all granted
</Directory>
AddOutputFilterByType BROTLI_COMPRESS;DEFLATE text/plain
SSLSessionCache shmcb:{0}/sessions(64000)
<VirtualHost 127.0.0.1:{2}>
    SSLEngine on
    SSLCertificateFile {3}
    SSLCertificateKeyFile {3}
</VirtualHost>
)",
                            scratch.path().string(), port, tls_port, certificate);
        return text;
    }

    tests::Scratch scratch;
    tests::TestAuthority authority;
    const std::uint16_t port = tests::free_port();
    const std::uint16_t tls_port = tests::free_port();
    std::optional<tests::RealServer> server;
};

}  // namespace

TEST_F(PeerApache, KeepsAConnectionForAsManyRequestsAsApacheLikes) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        int fresh_count = 0;
        for (int i = 1; i <= 9; ++i) {
            const Fetched got =
                co_await fetch(client, {.url = peer_url("http", port, "/folder/page.html")});
            EXPECT_EQ(got.content, "<p>page");
            if (!got.response.reused_connection) ++fresh_count;
        }
        EXPECT_GE(fresh_count, 2);
        EXPECT_LE(fresh_count, 4);
    });
}

TEST_F(PeerApache, UnpacksEachCodingThatApacheSpeaks) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        for (const std::string coding : {"gzip", "br"}) {
            Request request{.url = peer_url("http", port, "/long.txt")};
            request.headers.add("Accept-Encoding", coding);
            const Fetched got = co_await fetch(client, std::move(request));
            EXPECT_EQ(got.response.headers.get("Content-Encoding"), coding);
            EXPECT_TRUE(got.content == long_text()) << coding;
            EXPECT_LT(got.wire.size(), got.content.size() / 2) << coding;
        }
    });
}

TEST_F(PeerApache, ListsAFolderAndAnswersConditions) {
    with_client(peer_options(), [&](Client& client) -> Co<> {
        const Fetched list = co_await fetch(client, {.url = peer_url("http", port, "/folder/")});
        EXPECT_NE(list.content.find("page.html"), std::string::npos);
        const web::Url page = peer_url("http", port, "/folder/page.html");
        const Fetched first = co_await fetch(client, {.url = page});
        Request again{.url = page};
        again.headers.add("If-Modified-Since",
                          first.response.headers.get("Last-Modified").value_or(""));
        const Fetched second = co_await fetch(client, std::move(again));
        EXPECT_EQ(second.response.status, 304);
    });
}

TEST_F(PeerApache, SpeaksTls) {
    with_client(peer_options(&authority), [&](Client& client) -> Co<> {
        const Fetched got =
            co_await fetch(client, {.url = peer_url("https", tls_port, "/brief.txt")});
        EXPECT_EQ(got.content, kBrief);
        EXPECT_EQ(got.response.tls_protocol, "TLSv1.3");
    });
}

}  // namespace weft::http
