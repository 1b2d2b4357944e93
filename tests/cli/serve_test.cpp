// `weft serve` as a user runs it, asked by raw sockets and by our own client.
#include <csignal>
#include <filesystem>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/net/stream.h"
#include "aio/task/gather.h"
#include "base/bytes.h"
#include "http/client/client.h"
#include "support/certificates.h"
#include "support/real_server.h"
#include "support/scratch.h"

namespace weft::cli {
namespace {

using aio::Co;
namespace fs = std::filesystem;

struct Answer {
    int status = 0;
    std::string head;
    std::string body;

    std::string field(std::string_view name) const {
        const std::size_t begin = head.find(fmt::format("\r\n{}: ", name));
        if (begin == std::string::npos) return "";
        const std::size_t value = begin + name.size() + 4;
        return head.substr(value, head.find("\r\n", value) - value);
    }
};

// A folder, served.
class Serve : public testing::Test {
protected:
    Serve() {
        scratch_.write("in/page.html", "<p>page");
        scratch_.write("in/sub/other.txt", "other");
        scratch_.write("in/with-index/index.html", "index");
        scratch_.write("in/.hidden", "hidden");
        scratch_.write("in/.git/config", "hidden");
        scratch_.write("in/.well-known/security.txt", "known");
        scratch_.write("in/a \"<b>&%41.txt", "odd name");
        scratch_.write("secret.txt", "secret");
        fs::create_symlink("../secret.txt", scratch_ / "in/link.txt");
    }

    void start(std::vector<std::string> more = {}) {
        port_ = tests::free_port();
        std::vector<std::string> command = {tests::weft_program().string(), "serve",
                                            (scratch_ / "in").string(), "--port",
                                            std::to_string(port_)};
        command.insert(command.end(), more.begin(), more.end());
        server_.emplace(std::move(command), std::vector{port_}, scratch_ / "output.txt");
    }

    // The bytes as they are, on a connection of their own.
    Answer ask(std::string bytes) {
        std::string all = aio::run([](std::uint16_t port, std::string request) -> Co<std::string> {
            aio::Stream stream = co_await aio::connect({aio::IpAddress::loopback(), port});
            co_await stream.write(request);
            co_return co_await stream.read(64 << 20);
        }(port_, std::move(bytes)));
        const std::size_t end = all.find("\r\n\r\n");
        if (end == std::string::npos || !all.starts_with("HTTP/1.1 ")) return {};
        return {.status = (all[9] - '0') * 100 + (all[10] - '0') * 10 + (all[11] - '0'),
                .head = all.substr(0, end + 2),
                .body = all.substr(end + 4)};
    }
    Answer get(std::string_view target, std::string_view fields = "",
               std::string_view method = "GET") {
        return ask(fmt::format("{} {} HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n{}\r\n",
                               method, target, fields));
    }

    tests::Scratch scratch_;
    std::uint16_t port_ = 0;
    std::optional<tests::RealServer> server_;
};

}  // namespace

TEST_F(Serve, FilesComeWithTypeAndValidators) {
    start();

    const Answer page = get("/page.html");
    EXPECT_EQ(page.status, 200);
    EXPECT_EQ(page.body, "<p>page");
    EXPECT_EQ(page.field("Content-Type"), "text/html; charset=utf-8");
    EXPECT_EQ(page.field("Content-Length"), "7");
    EXPECT_NE(page.field("ETag"), "");
    EXPECT_NE(page.field("Last-Modified"), "");

    const Answer head = get("/page.html", "", "HEAD");
    EXPECT_EQ(head.field("Content-Length"), "7");
    EXPECT_EQ(head.body, "");
    EXPECT_EQ(get("/page.html?query=1").body, "<p>page");
    EXPECT_EQ(get("/p%61ge.html").body, "<p>page");
    EXPECT_EQ(get("/a%20%22%3Cb%3E%26%2541.txt").body, "odd name");
    EXPECT_EQ(get("/.well-known/security.txt").body, "known");
}

TEST_F(Serve, UnchangedFilesAreNotSentAgain) {
    fs::last_write_time(scratch_ / "in/page.html",
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
    start();
    const Answer page = get("/page.html");
    const std::string etag = page.field("ETag");
    EXPECT_TRUE(etag.starts_with('"'));

    EXPECT_EQ(get("/page.html", fmt::format("If-None-Match: {}\r\n", etag)).status, 304);
    EXPECT_EQ(get("/page.html", fmt::format("If-None-Match: {}\r\n", etag)).field("ETag"), etag);
    EXPECT_EQ(
        get("/page.html", fmt::format("If-Modified-Since: {}\r\n", page.field("Last-Modified")))
            .status,
        304);
    EXPECT_EQ(get("/page.html", "If-Match: \"other\"\r\n").status, 412);

    scratch_.write("in/page.html", "<p>page!");
    EXPECT_EQ(get("/page.html", fmt::format("If-None-Match: {}\r\n", etag)).body, "<p>page!");
}

TEST_F(Serve, ARangeIsServedAloneAndSeveralAreNot) {
    fs::last_write_time(scratch_ / "in/page.html",
                        fs::file_time_type::clock::now() - std::chrono::hours(1));
    start();
    const std::string etag = get("/page.html").field("ETag");

    const Answer part = get("/page.html", "Range: bytes=3-5\r\n");
    EXPECT_EQ(part.status, 206);
    EXPECT_EQ(part.body, "pag");
    EXPECT_EQ(part.field("Content-Range"), "bytes 3-5/7");
    EXPECT_EQ(get("/page.html", "Range: bytes=-2\r\n").body, "ge");
    const Answer beyond = get("/page.html", "Range: bytes=7-\r\n");
    EXPECT_EQ(beyond.status, 416);
    EXPECT_EQ(beyond.field("Content-Range"), "bytes */7");
    EXPECT_EQ(get("/page.html", "Range: bytes=0-1,3-4\r\n").status, 200);
    EXPECT_EQ(get("/page.html", fmt::format("Range: bytes=0-1\r\nIf-Range: {}\r\n", etag)).status,
              206);
    EXPECT_EQ(get("/page.html", "Range: bytes=0-1\r\nIf-Range: \"old\"\r\n").status, 200);
}

TEST_F(Serve, FoldersHaveAPageOrTheirIndex) {
    start();

    const Answer root = get("/");
    EXPECT_EQ(root.status, 200);
    EXPECT_NE(root.body.find("<a href=\"./sub/\">sub/</a>"), std::string::npos) << root.body;
    EXPECT_NE(root.body.find("<a href=\"./a%20%22%3Cb%3E%26%2541.txt\">"
                             "a &quot;&lt;b&gt;&amp;%41.txt</a>"),
              std::string::npos)
        << root.body;
    for (const char* word : {"hidden", ".git", "link.txt", "secret", "<b>"}) {
        EXPECT_EQ(root.body.find(word), std::string::npos) << word;
    }
    EXPECT_EQ(get("/with-index/").body, "index");
    const Answer moved = get("/sub?x=1");
    EXPECT_EQ(moved.status, 301);
    EXPECT_EQ(moved.field("Location"), "/sub/?x=1");
}

TEST_F(Serve, H129NothingOutsideTheFolderIsServed) {
    start();

    for (const std::string target : {"/../secret.txt",
                                     "/sub/../../secret.txt",
                                     "/%2e%2e/secret.txt",
                                     "/..%2fsecret.txt",
                                     "/%2e%2e%2fsecret.txt",
                                     "/sub/%2E%2E/%2E%2E/secret.txt",
                                     "/link.txt",
                                     "/.hidden",
                                     "/.git/config",
                                     "/%2ehidden",
                                     "//secret.txt",
                                     "/sub//other.txt",
                                     "/page.html/",
                                     "/page.html%00.txt",
                                     "/..",
                                     "/.",
                                     "/%2e",
                                     "/none",
                                     "/sub\\..\\..\\secret.txt",
                                     "/..%5csecret.txt",
                                     "/..;/secret.txt",
                                     "/%252e%252e/secret.txt"}) {
        const Answer answer = get(target);
        EXPECT_TRUE(answer.status == 404 || answer.status == 400) << target << answer.status;
        EXPECT_EQ(answer.body.find("secret\n"), std::string::npos) << target;
    }
    EXPECT_EQ(get("/", "", "POST").status, 405);
    EXPECT_EQ(get("/", "", "POST").field("Allow"), "GET, HEAD");
    EXPECT_EQ(get("/", "", "DELETE").status, 405);
}

TEST_F(Serve, H126OnLoopbackOnlyItsOwnNamesAreAnswered) {
    start({"--host", "box.test"});

    EXPECT_EQ(ask("GET /page.html HTTP/1.1\r\nHost: evil.test\r\n\r\n").status, 403);
    EXPECT_EQ(
        ask("GET /page.html HTTP/1.1\r\nHost: box.test:80\r\nConnection: close\r\n\r\n").status,
        200);
}

TEST_F(Serve, EachRequestHasALineAndTheFirstSignalEndsInOrder) {
    start();
    get("/page.html");
    get("/%1b[31m\"quoted\"");
    ask("BAD\r\n\r\n");

    EXPECT_EQ(server_->stop(SIGINT), 0);
    const std::string output = server_->output();

    EXPECT_NE(output.find(fmt::format("at http://127.0.0.1:{}/\n", port_)), std::string::npos);
    EXPECT_NE(output.find(" 127.0.0.1 200 7 "), std::string::npos) << output;
    EXPECT_NE(output.find("ms GET /page.html\n"), std::string::npos) << output;
    EXPECT_NE(output.find(" 404 "), std::string::npos) << output;
    EXPECT_NE(output.find(" 400 "), std::string::npos) << output;
    EXPECT_EQ(output.find('\x1b'), std::string::npos);
}

TEST_F(Serve, AtFaultItSaysWhyItDoesNotStart) {
    const auto says = [&](std::vector<std::string> words) -> std::string {
        try {
            start(std::move(words));
        } catch (const std::runtime_error& error) {
            return error.what();
        }
        return "started";
    };
    EXPECT_NE(says({"--bind", "nowhere"}).find("--bind 'nowhere': not an address"),
              std::string::npos);
    EXPECT_NE(says({"--tls-key", "x"}).find("--tls-key needs"), std::string::npos);
    EXPECT_NE(says({"--tls-certificate", "none.pem"}).find("none.pem"), std::string::npos);
}

TEST_F(Serve, ALargeFileStreamsToManyAtOnceAndArrivesWhole) {
    constexpr std::size_t kBytes = 8 << 20;
    std::string content(kBytes, '\0');
    for (std::size_t i = 0; i < kBytes; ++i) content[i] = static_cast<char>(i * 31 >> 7);
    scratch_.write("in/large.bin", content);
    start({"--quiet"});

    aio::run([](std::uint16_t port, const std::string& expected) -> Co<> {
        http::ClientOptions options;
        options.addresses.allow(*http::AddressRange::parse("127.0.0.1"));
        http::Client client(std::move(options));
        const web::Url url =
            web::Url::parse(fmt::format("http://127.0.0.1:{}/large.bin", port)).value();
        std::vector<http::ContentBuffer> pages(8);
        std::vector<Co<http::Response>> fetches;
        for (http::ContentBuffer& page : pages) {
            fetches.push_back(client.fetch({.url = url}, page));
        }
        const std::vector<http::Response> all = co_await aio::gather(std::move(fetches));
        for (const http::Response& response : all) EXPECT_EQ(response.status, 200);
        for (const http::ContentBuffer& page : pages) EXPECT_TRUE(page.content == expected);
    }(port_, content));
}

TEST_F(Serve, SpeaksTlsWithACertificateOfItsOwn) {
    tests::TestAuthority authority;
    start({"--tls-certificate", authority.issue("server").string()});

    aio::run([](std::uint16_t port, fs::path ca_file) -> Co<> {
        http::ClientOptions options;
        options.addresses.allow(*http::AddressRange::parse("127.0.0.1"));
        options.ca_file = ca_file;
        http::Client client(std::move(options));
        http::ContentBuffer page;
        const http::Response response = co_await client.fetch(
            {.url = web::Url::parse(fmt::format("https://127.0.0.1:{}/page.html", port)).value()},
            page);
        EXPECT_EQ(page.content, "<p>page");
        EXPECT_EQ(response.tls_protocol, "TLSv1.3");
    }(port_, authority.ca_file()));
}

}  // namespace weft::cli
