// Real servers of HTTP/2 on loopback: nghttpd, which follows the letter, and nginx. Skipped where
// they are not installed.
#include <filesystem>
#include <fstream>

#include <gtest/gtest.h>
#include <unistd.h>

#include "aio/loop/run.h"
#include "aio/net/tls.h"
#include "aio/process/subprocess.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "http/h2/h2_connection.h"
#include "support/certificates.h"
#include "support/real_server.h"

namespace weft::http {
namespace {

using aio::Co;

bool is_installed(std::string_view program) {
    for (const std::string_view folder : {"/usr/sbin/", "/usr/bin/", "/usr/local/bin/"}) {
        if (std::filesystem::exists(std::string(folder).append(program))) return true;
    }
    return false;
}

// A folder with pages, gone afterwards.
class Pages {
public:
    explicit Pages(const std::string& name)
        : folder_(std::filesystem::temp_directory_path() /
                  fmt::format("weft-{}-{}", name, getpid())) {
        std::filesystem::create_directories(folder_);
        write("small", std::string(1'000, 's'));
        write("large", std::string(3'000'000, 'l'));
    }
    ~Pages() { std::filesystem::remove_all(folder_); }
    Pages(const Pages&) = delete;
    Pages& operator=(const Pages&) = delete;

    std::string path() const { return folder_.string(); }
    void write(const std::string& name, const std::string& text) const {
        std::ofstream(folder_ / name) << text;
    }

private:
    std::filesystem::path folder_;
};

Co<aio::Stream> connect_when_ready(std::uint16_t port) {
    for (int attempt = 0;; ++attempt) {
        try {
            co_return co_await aio::connect({aio::IpAddress::loopback(), port});
        } catch (const aio::IoError&) {
            if (attempt == 200) throw;
        }
        co_await aio::sleep(20ms);
    }
}

struct Got {
    int status = 0;
    std::size_t bytes = 0;
    std::string tls_protocol;
    std::string protocol;
};

Co<Got> get(H2Connection& connection, std::string url_text) {
    const Request request{.url = web::Url::parse(url_text).value()};
    Headers headers;
    headers.add("Host", request.url.host());
    const FetchLimits limits;
    FetchClock clock("127.0.0.1", limits.total_timeout);
    ResponseSink sink;
    Response response;
    Conversation conversation{.request = request,
                              .target = request.url.path_and_query(),
                              .headers = headers,
                              .limits = limits,
                              .clock = clock,
                              .sink = sink,
                              .response = response};
    const std::unique_ptr<H2Exchange> exchange = connection.open();
    co_await exchange->start(conversation);
    Got got;
    for (;;) {
        const std::string_view piece = co_await exchange->read(conversation);
        if (piece.empty()) break;
        got.bytes += piece.size();
    }
    got.status = response.status;
    got.protocol = response.protocol;
    got.tls_protocol = response.tls_protocol;
    co_return got;
}

Co<> expect_page(H2Connection& connection, std::string url, Got wanted) {
    const Got got = co_await get(connection, url);
    EXPECT_EQ(got.status, wanted.status) << url;
    if (wanted.bytes > 0) EXPECT_EQ(got.bytes, wanted.bytes) << url;
    EXPECT_EQ(got.protocol, "h2");
}

// Small and large pages at once, many times over, on one connection.
Co<> expect_pages(H2Connection& connection, std::string origin) {
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (int i = 0; i < 300; ++i) {
            group.create_task(
                expect_page(connection, origin + "/small", {.status = 200, .bytes = 1'000}));
        }
        for (int i = 0; i < 5; ++i) {
            group.create_task(
                expect_page(connection, origin + "/large", {.status = 200, .bytes = 3'000'000}));
        }
        group.create_task(expect_page(connection, origin + "/nothing", {.status = 404}));
        co_return;
    });
    EXPECT_TRUE(connection.is_usable());
}

aio::SubprocessOptions quiet() {
    return {.standard_output = aio::Redirect::null, .standard_error = aio::Redirect::null};
}

Co<> talk_to_nghttpd() {
    const Pages pages("nghttpd");
    const std::uint16_t port = tests::free_port();
    aio::Process server = co_await aio::create_subprocess_exec(
        {"nghttpd", "--no-tls", "-a", "127.0.0.1", "-d", pages.path(), std::to_string(port)},
        quiet());
    {
        aio::Stream stream = co_await connect_when_ready(port);
        H2Connection connection(std::move(stream));
        co_await expect_pages(connection, fmt::format("http://127.0.0.1:{}", port));
    }
    server.kill();
    co_await server.wait();
}

std::string nginx_config(const Pages& pages, std::uint16_t port, std::string_view listen) {
    return fmt::format(
        "daemon off; master_process off; pid {0}/pid; error_log {0}/log;\n"
        "events {{ }}\n"
        "http {{ access_log off; client_body_temp_path {0}/b; proxy_temp_path {0}/p;\n"
        "  fastcgi_temp_path {0}/f; uwsgi_temp_path {0}/u; scgi_temp_path {0}/s;\n"
        "  keepalive_requests 400; http2_max_concurrent_streams 20;\n"
        "  server {{ listen 127.0.0.1:{1} {2}; root {0}; }} }}\n",
        pages.path(), port, listen);
}

Co<aio::Stream> secure(aio::Stream stream, std::filesystem::path ca_file) {
    aio::TlsContext::ClientOptions options;
    options.ca_file = ca_file;
    aio::TlsClientSession session{
        .host = "127.0.0.1", .alpn = {"h2", "http/1.1"}, .resumption_key = ""};
    std::unique_ptr<aio::TlsTransport> tls = co_await aio::tls_connect(
        stream.detach(), aio::TlsContext::client(options), std::move(session));
    EXPECT_EQ(tls->alpn(), "h2");
    co_return aio::Stream(std::move(tls));
}

Co<> talk_to_nginx(bool over_tls) {
    const Pages pages(over_tls ? "nginx-tls" : "nginx");
    tests::TestAuthority authority;
    const std::string certificate = authority.issue("nginx").string();
    const std::uint16_t port = tests::free_port();
    const std::string listen =
        over_tls
            ? fmt::format("ssl http2; ssl_certificate {0}; ssl_certificate_key {0}", certificate)
            : "http2";
    pages.write("nginx.conf", nginx_config(pages, port, listen));
    aio::Process server = co_await aio::create_subprocess_exec(
        {"nginx", "-c", pages.path() + "/nginx.conf"}, quiet());
    {
        aio::Stream stream = co_await connect_when_ready(port);
        if (over_tls) stream = co_await secure(std::move(stream), authority.ca_file());
        H2Connection connection(std::move(stream));
        const std::string origin =
            fmt::format("{}://127.0.0.1:{}", over_tls ? "https" : "http", port);
        co_await expect_pages(connection, origin);

        // After keepalive_requests nginx says goodbye, and means it.
        int served = 306;
        while (connection.is_usable()) {
            co_await expect_page(connection, origin + "/small", {.status = 200, .bytes = 1'000});
            EXPECT_LE(++served, 400);
        }
        EXPECT_GE(served, 399);
    }
    server.kill();
    co_await server.wait();
}

}  // namespace

TEST(H2Peers, Nghttpd) {
    if (!is_installed("nghttpd")) GTEST_SKIP() << "nghttpd (nghttp2-server) is not installed";
    aio::run(talk_to_nghttpd());
}

TEST(H2Peers, Nginx) {
    if (!is_installed("nginx")) GTEST_SKIP() << "nginx is not installed";
    aio::run(talk_to_nginx(false));
}

TEST(H2Peers, NginxOverTls) {
    if (!is_installed("nginx")) GTEST_SKIP() << "nginx is not installed";
    aio::run(talk_to_nginx(true));
}

}  // namespace weft::http
