#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/net/server.h"
#include "aio/task/task_group.h"
#include "http/client/client.h"
#include "http/server/server.h"
#include "support/certificates.h"

namespace weft::http {
namespace {

using aio::Co;
using tests::TestAuthority;

struct Ended {
    std::string content;
    std::string tls_protocol;
    std::optional<Failure> failure;
    std::string what;
};

// Serves one page with this certificate and fetches it from `host`.
Co<Ended> fetch_from(std::filesystem::path certificate, std::filesystem::path ca_file,
                     std::string host) {
    auto listener = aio::EventLoop::running().network().listen({aio::IpAddress::loopback(), 0});
    const std::uint16_t port = listener->local().port;
    ServerOptions server_options;
    aio::TlsContext::ServerOptions tls_options;
    tls_options.certificate_file = certificate;
    server_options.tls = aio::TlsContext::server(tls_options);
    ClientOptions options;
    options.addresses.allow(*AddressRange::parse("127.0.0.0/8"));
    options.addresses.allow(*AddressRange::parse("::1"));
    options.ca_file = ca_file;
    Ended ended;
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        Handler handler = [](const ServerRequest&, Responder& responder) -> Co<> {
            co_await responder.reply({.body = "secret"});
        };
        group.create_task(serve(std::move(listener), std::move(handler), server_options));
        Client client(std::move(options));
        ContentBuffer buffer;
        try {
            const Response response = co_await client.fetch(
                {.url = web::Url::parse(fmt::format("https://{}:{}/", host, port)).value()},
                buffer);
            ended.content = buffer.content;
            ended.tls_protocol = response.tls_protocol;
        } catch (const FetchError& error) {
            ended.failure = error.failure();
            ended.what = error.what();
        }
        group.cancel();
    });
    co_return ended;
}

Ended fetch(const std::filesystem::path& certificate, const std::filesystem::path& ca_file,
            const std::string& host = "127.0.0.1") {
    return aio::run(fetch_from(certificate, ca_file, host));
}

// Fetches from a server that says `answer` to whatever comes.
Ended fetch_scripted(std::string scheme, std::string answer) {
    return aio::run([](std::string by, std::string words) -> Co<Ended> {
        const auto say = [words](aio::Stream stream) -> Co<> {
            co_await stream.fill();
            co_await stream.write(words);
        };
        const aio::Server server = aio::start_server(say, {aio::IpAddress::loopback(), 0});
        ClientOptions options;
        options.addresses.allow(*AddressRange::parse("127.0.0.0/8"));
        Client client(std::move(options));
        ContentBuffer buffer;
        Ended ended;
        try {
            co_await client.fetch(
                {.url = web::Url::parse(fmt::format("{}://127.0.0.1:{}/", by, server.local().port))
                            .value()},
                buffer);
            ended.content = buffer.content;
        } catch (const FetchError& error) {
            ended.failure = error.failure();
            ended.what = error.what();
        }
        co_return ended;
    }(std::move(scheme), std::move(answer)));
}

}  // namespace

TEST(Tls, A44TheWrongProtocolForThePortIsSaidEitherWay) {
    const Ended tls_to_plain = fetch_scripted("https", "HTTP/1.1 400 Bad Request\r\n\r\n");
    EXPECT_EQ(tls_to_plain.failure, Failure::tls_not_tls);
    EXPECT_TRUE(tls_to_plain.what.ends_with(": tls: the server does not speak TLS on this port"))
        << tls_to_plain.what;

    const Ended plain_to_tls =
        fetch_scripted("http", std::string("\x15\x03\x01\x00\x02\x02\x46", 7));
    EXPECT_EQ(plain_to_tls.failure, Failure::not_http);
    EXPECT_NE(plain_to_tls.what.find("TLS"), std::string::npos) << plain_to_tls.what;

    const Ended nothing = fetch_scripted("http", "");
    EXPECT_EQ(nothing.failure, Failure::closed_early);
}

TEST(Tls, ACertificateOfATrustedAuthorityIsAccepted) {
    TestAuthority authority;

    const Ended ended = fetch(authority.issue("good"), authority.ca_file());

    EXPECT_EQ(ended.content, "secret") << ended.what;
    EXPECT_EQ(ended.tls_protocol, "TLSv1.3");
}

TEST(Tls, A46H56EachFaultOfACertificateHasItsOwnWords) {
    TestAuthority authority;
    TestAuthority stranger;
    const auto expect_failure = [&](const std::filesystem::path& certificate,
                                    const std::string& words) {
        const Ended ended = fetch(certificate, authority.ca_file());
        EXPECT_EQ(ended.failure, Failure::tls_certificate) << words;
        EXPECT_NE(ended.what.find(words), std::string::npos) << ended.what;
    };

    expect_failure(authority.issue("old", {.valid_until_seconds = -60}),
                   "tls: certificate expired on 20");
    expect_failure(authority.issue("early", {.valid_from_seconds = 600}), "not yet valid");
    expect_failure(authority.self_signed("self"), "self-signed");
    expect_failure(stranger.issue("stranger"), "unknown issuer");
    expect_failure(authority.issue("other", {.dns_name = "other.test", .ip_address = "127.0.0.9"}),
                   "another host");
}

}  // namespace weft::http
