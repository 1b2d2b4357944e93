#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/net/tls.h"
#include "aio/net/unix_socket.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/gather.h"
#include "base/limits.h"
#include "support/certificates.h"
#include "support/raw_tls_server.h"

// Servers that break the rules of TLS, or use them to keep a client busy.
namespace weft::aio {
namespace {

using tests::CertificateOptions;
using tests::RawTlsServer;
using tests::TestAuthority;

TestAuthority& hostile_authority() {
    static TestAuthority made;
    return made;
}

std::shared_ptr<TlsContext> hostile_client(bool verify = true) {
    TlsContext::ClientOptions options;
    options.ca_file = hostile_authority().ca_file();
    options.verify = verify;
    return TlsContext::client(options);
}

std::shared_ptr<TlsContext> verifying() {
    static const std::shared_ptr<TlsContext> made = hostile_client();
    return made;
}

// How a client's handshake ended.
struct Verdict {
    std::string words = "accepted";
    std::string what;
};

Co<Verdict> try_handshake(Stream stream, std::shared_ptr<TlsContext> context, std::string host) {
    Verdict verdict;
    try {
        co_await stream.start_tls(std::move(context), {.host = std::move(host)});
    } catch (const TlsError& error) {
        verdict = {std::string(describe(error.failure())), error.what()};
    }
    co_return verdict;
}

Co<bool> accept_and_close(RawTlsServer& server, Stream stream) {
    try {
        co_return co_await server.accept(stream);
    } catch (const IoError&) {
        co_return false;  // The client went first.
    }
}

using Preparation = std::function<void(RawTlsServer&)>;

Co<Verdict> shake_hands(std::filesystem::path certificate, std::string host,
                        std::shared_ptr<TlsContext> context, Preparation prepare) {
    StreamPair pair = make_stream_pair();
    RawTlsServer server(certificate);
    if (prepare) prepare(server);
    auto [verdict, accepted] =
        co_await gather(try_handshake(std::move(pair.first), std::move(context), std::move(host)),
                        accept_and_close(server, std::move(pair.second)));
    co_return verdict;
}

// What a client says of a server with such a certificate.
Verdict verdict_on(const CertificateOptions& options, const std::string& host = "localhost",
                   Preparation prepare = nullptr,
                   std::shared_ptr<TlsContext> context = verifying()) {
    return run(shake_hands(hostile_authority().issue("raw", options), host, std::move(context),
                           std::move(prepare)));
}

// Sends `noise` that many times, then a word of content; ends when the client has gone.
Co<> make_noise(RawTlsServer& server, Stream& stream, std::size_t count, Preparation noise) {
    const bool accepted = co_await server.accept(stream);
    if (!accepted) co_return;
    try {
        for (std::size_t i = 0; i < count; ++i) {
            noise(server);
            co_await server.flush(stream);
        }
        server.write("content\n");
        co_await server.flush(stream);
    } catch (const IoError&) {
        // The client has had enough.
    }
}

Co<std::string> read_line(Stream stream, std::shared_ptr<TlsContext> context) {
    co_await stream.start_tls(std::move(context), {.host = "localhost"});
    try {
        co_return co_await wait_for(stream.readline(100), 10s);
    } catch (const IoError& error) {
        co_return error.code() == std::errc::protocol_error ? "cut off" : error.what();
    }
}

// What the client reads from a server that makes noise before it answers.
std::string answer_after(std::size_t count, int version, Preparation noise) {
    return run([](std::size_t times, int spoken, Preparation made) -> Co<std::string> {
        StreamPair pair = make_stream_pair();
        RawTlsServer server(hostile_authority().issue("raw"));
        SSL_set_max_proto_version(server.ssl(), spoken);
        auto [line, done] =
            co_await gather(read_line(std::move(pair.first), verifying()),
                            make_noise(server, pair.second, times, std::move(made)));
        co_return line;
    }(count, version, std::move(noise)));
}

void update_keys(RawTlsServer& server) {
    server.update_keys();
}

void send_ticket(RawTlsServer& server) {
    server.send_ticket();
}

void ask_to_renegotiate(RawTlsServer& server) {
    server.ask_to_renegotiate();
}

}  // namespace

TEST(TlsHostile, A46TheServerIsToldTheHost) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        RawTlsServer server(hostile_authority().issue("raw"));
        co_await gather(try_handshake(std::move(pair.first), verifying(), "localhost"),
                        accept_and_close(server, std::move(pair.second)));
        EXPECT_STREQ(SSL_get_servername(server.ssl(), TLSEXT_NAMETYPE_host_name), "localhost");
    }());
}

TEST(TlsHostile, A46H56EachFaultOfACertificateIsToldApart) {
    const auto words = [](const CertificateOptions& options) { return verdict_on(options).words; };
    EXPECT_EQ(words({}), "accepted");
    EXPECT_EQ(words({.valid_until_seconds = -60}), "certificate expired");
    EXPECT_EQ(words({.valid_from_seconds = 600}), "certificate not yet valid");
    EXPECT_EQ(words({.dns_name = "other.test"}), "certificate is for another host");

    const auto own = run(shake_hands(hostile_authority().self_signed("own"), "localhost",
                                     verifying(), Preparation()));
    EXPECT_EQ(own.words, "certificate is self-signed");
    TestAuthority stranger;
    const auto strange =
        run(shake_hands(stranger.issue("raw"), "localhost", verifying(), Preparation()));
    EXPECT_EQ(strange.words, "certificate of an unknown issuer");
    const auto unasked = run(shake_hands(hostile_authority().self_signed("own"), "localhost",
                                         hostile_client(false), Preparation()));
    EXPECT_EQ(unasked.words, "accepted");
}

TEST(TlsHostile, H56ANulInANameEndsNoName) {
    CertificateOptions options{.dns_name = "localhost?.evil.test", .ip_address = ""};
    EXPECT_EQ(verdict_on(options).words, "certificate is for another host");
    options.nul_at = 9;  // For the question mark: "localhost\0.evil.test".
    EXPECT_EQ(verdict_on(options).words, "certificate is for another host");
}

TEST(TlsHostile, H57AHugeKeyIsRefusedBeforeItIsUsed) {
    const Verdict huge = verdict_on({.rsa_bits = limits::kCertificateKeyBitsMax + 8});
    EXPECT_EQ(huge.words, "certificate not acceptable");
    EXPECT_NE(huge.what.find("a key of more than 8192 bits"), std::string::npos) << huge.what;

    const Verdict unasked = verdict_on({.rsa_bits = limits::kCertificateKeyBitsMax + 8},
                                       "localhost", nullptr, hostile_client(false));
    EXPECT_NE(unasked.words, "accepted");

    // At the bound it is used, and found to have signed nothing.
    const Verdict largest = verdict_on({.rsa_bits = limits::kCertificateKeyBitsMax});
    EXPECT_EQ(largest.words, "TLS failed") << largest.what;
}

TEST(TlsHostile, H57AWeakKeyIsRefused) {
    const Verdict weak = verdict_on({.rsa_bits = 1'024});
    EXPECT_EQ(weak.words, "certificate not acceptable") << weak.what;
    EXPECT_EQ(verdict_on({.rsa_bits = 2'048}).words, "accepted");
}

TEST(TlsHostile, H57TheServerDoesNotChooseTheSizeOfTheNumbers) {
    const auto finite_field = [](RawTlsServer& server) {
        SSL_set_max_proto_version(server.ssl(), TLS1_2_VERSION);
        SSL_set_cipher_list(server.ssl(), "kDHE");
    };
    EXPECT_EQ(verdict_on({.rsa_bits = 2'048}, "localhost", finite_field).words, "TLS failed");

    const auto large_group = [](RawTlsServer& server) {
        SSL_set1_groups_list(server.ssl(), "ffdhe8192");
    };
    EXPECT_EQ(verdict_on({}, "localhost", large_group).words, "TLS failed");
}

TEST(TlsHostile, H58VersionsBefore12AreNotSpoken) {
    const auto old = [](RawTlsServer& server) {
        SSL_set_min_proto_version(server.ssl(), TLS1_VERSION);
        SSL_set_max_proto_version(server.ssl(), TLS1_1_VERSION);
    };
    EXPECT_EQ(verdict_on({}, "localhost", old).words, "TLS failed");
}

TEST(TlsHostile, H58AFewKeyUpdatesAndTicketsAreNormal) {
    EXPECT_EQ(answer_after(20, TLS1_3_VERSION, update_keys), "content\n");
    EXPECT_EQ(answer_after(20, TLS1_3_VERSION, send_ticket), "content\n");
    EXPECT_EQ(answer_after(20, TLS1_2_VERSION, ask_to_renegotiate), "content\n");
}

TEST(TlsHostile, H58AFloodOfKeyUpdatesIsCutOff) {
    EXPECT_EQ(answer_after(5'000, TLS1_3_VERSION, update_keys), "cut off");
}

TEST(TlsHostile, H58AFloodOfTicketsIsCutOff) {
    EXPECT_EQ(answer_after(1'000, TLS1_3_VERSION, send_ticket), "cut off");
}

TEST(TlsHostile, H58AFloodOfHelloRequestsIsCutOff) {
    EXPECT_EQ(answer_after(5'000, TLS1_2_VERSION, ask_to_renegotiate), "cut off");
}

TEST(TlsHostile, H58KeyUpdatesBesideMuchContentGoOn) {
    const std::string page(limits::kBytesPerTlsLateMessage, 'p');
    const auto pages = [&](RawTlsServer& server) {
        server.update_keys();
        for (std::size_t at = 0; at < page.size(); at += 16'384) {
            server.write(std::string_view(page).substr(at, 16'384));
        }
    };
    const std::size_t count = 4 * limits::kTlsLateMessagesMax;
    const std::string line = run([](std::size_t times, Preparation made) -> Co<std::string> {
        StreamPair pair = make_stream_pair();
        RawTlsServer server(hostile_authority().issue("raw"));
        const auto read_all = [](Stream stream, std::size_t bytes) -> Co<std::string> {
            co_await stream.start_tls(verifying(), {.host = "localhost"});
            co_await stream.readexactly(bytes);
            co_return co_await stream.readline(100);
        };
        auto [read, done] = co_await gather(
            read_all(std::move(pair.first), times * limits::kBytesPerTlsLateMessage),
            make_noise(server, pair.second, times, std::move(made)));
        co_return read;
    }(count, pages));
    EXPECT_EQ(line, "content\n");
}

TEST(TlsHostile, H60ASessionOfOneContextIsUnknownToAnother) {
    run([]() -> Co<> {
        const auto lax = hostile_client(false);
        const auto strict = hostile_client();
        TlsContext::ServerOptions options;
        options.certificate_file = hostile_authority().issue("server");
        const auto server = TlsContext::server(options);
        for (const auto& client : {lax, strict}) {  // The same host, verified or not.
            StreamPair pair = make_stream_pair();
            const auto serve = [](Stream stream, std::shared_ptr<TlsContext> context) -> Co<> {
                Stream secured(co_await tls_accept(stream.detach(), std::move(context)));
                co_await secured.write("tickets come before this\n");
            };
            const Task<> serving = create_task(serve(std::move(pair.second), server));
            co_await pair.first.start_tls(client, {.host = "localhost", .resumption_key = "a:1"});
            co_await pair.first.readline(100);
            EXPECT_FALSE(dynamic_cast<TlsTransport&>(pair.first.transport()).is_resumed());
            co_await serving;
        }
    }());
}

}  // namespace weft::aio
