// H56 to H61: certificates, handshakes and sessions that are not in order. In virtual time too: TLS
// runs over the simulated connections.
#include <cstdlib>

#include <gtest/gtest.h>

#include "aio/task/sleep.h"
#include "hostile/arena.h"
#include "support/certificates.h"
#include "support/raw_tls_server.h"
#include "web/fields/cookie.h"

namespace weft::hostile {
namespace {

using namespace std::string_literals;
using aio::TlsContext;
using tests::CertificateOptions;
using tests::RawTlsServer;
using tests::TestAuthority;

const std::string kWhole = "HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret";

// The machine's own authorities are not asked: to read them takes a third of a second.
TestAuthority& authority() {
    static TestAuthority made;
    static const bool is_alone = [] {
        ::setenv("SSL_CERT_FILE", made.ca_file().c_str(), 1);
        ::setenv("SSL_CERT_DIR", "/nonexistent", 1);
        return true;
    }();
    static_cast<void>(is_alone);
    return made;
}

const CertificateOptions kGood{.dns_name = "evil.test", .ip_address = ""};

std::shared_ptr<TlsContext> context_of(const std::filesystem::path& certificate) {
    TlsContext::ServerOptions options;
    options.certificate_file = certificate;
    return TlsContext::server(options);
}

std::shared_ptr<TlsContext> good_context() {
    return context_of(authority().issue("good", kGood));
}

Fetch https(std::string url = "https://evil.test/") {
    Fetch fetch{.url = std::move(url)};
    fetch.client.ca_file = authority().ca_file();
    return fetch;
}

Ending fetch_from(Script script, std::string url = "https://evil.test/") {
    Arena arena;
    arena.serve("evil.test", 443, {std::move(script)});
    return arena.fetch(https(std::move(url)));
}

Ending fetch_with(const std::filesystem::path& certificate) {
    return fetch_from({start_tls(context_of(certificate)), read_request(), send(kWhole), fin()});
}

// `act` gets the front after the handshake; then nothing comes any more.
template <class Act>
Script front_script(int version, Act act) {
    return {make_step([version, act](Stage& stage) -> aio::Co<> {
        RawTlsServer front(authority().issue("front", kGood));
        front.speak_only(version);
        const bool accepted = co_await front.accept(stage.stream);
        if (!accepted) throw Error("the client went away");
        co_await act(stage, front);
        co_await aio::sleep(1h);
    })};
}

}  // namespace

TEST(Hostile, H56EachFaultOfACertificateIsItsOwn) {
    TestAuthority stranger;
    TestAuthority& ours = authority();
    struct Row {
        std::filesystem::path certificate;
        std::string_view words;
    };
    const auto named = [&](const std::string& file, const std::string& name) {
        return ours.issue(file, {.dns_name = name, .ip_address = ""});
    };
    CertificateOptions expired = kGood;
    expired.valid_until_seconds = -60;
    CertificateOptions early = kGood;
    early.valid_from_seconds = 600;
    const CertificateOptions in_subject{
        .dns_name = "", .ip_address = "", .common_name = "evil.test"};
    const CertificateOptions nul_in_subject{
        .dns_name = "", .ip_address = "", .common_name = "evil.test\0.other.test"s};
    const std::vector<Row> rows{
        {ours.issue("expired", expired), "expired"},
        {ours.issue("early", early), "not yet valid"},
        {ours.self_signed("self", kGood), "self-signed"},
        {stranger.issue("stranger", kGood), "unknown issuer"},
        {named("other", "other.test"), "another host"},
        {named("wide", "*.test"), "another host"},
        {named("deep", "*.*.test"), "another host"},
        {named("part", "ev*.test"), "another host"},
        {named("nul", "evil.test\0.other.test"s), "another host"},
        {ours.issue("subject", in_subject), "another host"},
        {ours.issue("nul-subject", nul_in_subject), "another host"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.certificate.filename());
        const Ending ending = fetch_with(row.certificate);
        // A wildcard right below a suffix is OpenSSL's to judge: two labels must be left.
        expect_failure(ending, "tls_certificate");
        EXPECT_NE(ending.what.find(row.words), std::string::npos) << ending.what;
    }
    expect_answer(fetch_with(ours.issue("good", kGood)), 200);
}

TEST(Hostile, H57AHandshakeThatStallsAnywhereEndsByItsLimit) {
    const Duration limit = http::FetchLimits{}.tls_timeout;
    expect_failure(fetch_from({sleep(1h)}), "tls_timeout", {.deadline = limit});

    for (const std::size_t percent : {1U, 10U, 50U, 80U, 99U}) {
        const Script stalling{make_step([percent](Stage& stage) -> aio::Co<> {
            RawTlsServer front(authority().issue("front", kGood));
            co_await stage.stream.fill();
            front.hear(stage.stream.buffered());
            stage.stream.consume(stage.stream.buffered().size());
            const std::string flight = front.take();
            co_await stage.stream.write(
                std::string_view(flight).substr(0, flight.size() * percent / 100));
            co_await aio::sleep(1h);
        })};
        const Ending ending = fetch_from(stalling);
        expect_failure(ending, "tls_timeout", {.deadline = limit});
        EXPECT_EQ(ending.canary_count, kCanaryPageCount);
    }

    const Script dripping{make_step([](Stage& stage) -> aio::Co<> {
        RawTlsServer front(authority().issue("front", kGood));
        co_await stage.stream.fill();
        front.hear(stage.stream.buffered());
        const std::string flight = front.take();
        for (const char byte : flight) {
            co_await stage.stream.write(std::string_view(&byte, 1));
            co_await aio::sleep(1s);
        }
    })};
    expect_failure(fetch_from(dripping), "tls_timeout", {.deadline = limit});
}

TEST(Hostile, H57GiantCertificatesAndKeysAreRefused) {
    CertificateOptions padded = kGood;
    padded.padding_bytes = 100'000;
    expect_failure(fetch_with(authority().issue("padded", padded)), "tls_failed");

    CertificateOptions giant = kGood;
    giant.giant_issuer_bits = 16'384;
    const Ending ending = fetch_with(authority().issue("giant", giant));
    expect_failure(ending, "tls_certificate");
    EXPECT_NE(ending.what.find("more than 8192 bits"), std::string::npos) << ending.what;

    // Records of a handshake message that claims 16 MiB.
    const std::string claim("\x16\x03\x03\x00\x04\x0b\xff\xff\xff", 9);
    expect_failure(fetch_from({await_request(), send(claim), loop(claim)}), "tls_failed");
}

TEST(Hostile, H58AFewKeyUpdatesAndTicketsAreInOrder) {
    const auto answer = [](Stage& stage, RawTlsServer& front) -> aio::Co<> {
        for (int i = 0; i < 20; ++i) front.send_ticket();
        for (int i = 0; i < 20; ++i) front.update_keys(SSL_KEY_UPDATE_NOT_REQUESTED);
        front.write(kWhole);
        co_await front.flush(stage.stream);
    };
    expect_answer(fetch_from(front_script(TLS1_3_VERSION, answer)), 200);
}

TEST(Hostile, H58EndlessKeyUpdatesEndTheSession) {
    const auto flood = [](Stage& stage, RawTlsServer& front) -> aio::Co<> {
        for (int i = 0; i < 10'000; ++i) {
            front.update_keys(SSL_KEY_UPDATE_NOT_REQUESTED);
            co_await front.flush(stage.stream);
        }
    };
    expect_failure(fetch_from(front_script(TLS1_3_VERSION, flood)), "reset");
}

TEST(Hostile, H58AThousandTicketsEndTheSession) {
    const auto flood = [](Stage& stage, RawTlsServer& front) -> aio::Co<> {
        for (int i = 0; i < 1'000; ++i) front.send_ticket();
        co_await front.flush(stage.stream);
    };
    expect_failure(fetch_from(front_script(TLS1_3_VERSION, flood)), "reset");
}

TEST(Hostile, H58NoRenegotiation) {
    const auto ask = [](Stage& stage, RawTlsServer& front) -> aio::Co<> {
        for (int i = 0; i < 1'000; ++i) {
            front.ask_to_renegotiate();
            co_await front.flush(stage.stream);
            co_await aio::sleep(10ms);
        }
    };
    expect_failure(fetch_from(front_script(TLS1_2_VERSION, ask)), "reset");
}

TEST(Hostile, H59AnEndWithoutCloseNotifyCutsWhatHasNoLength) {
    struct Row {
        std::string_view answer;
        std::string_view cut_off;
        std::string_view in_order;
    };
    const Row rows[] = {
        {"HTTP/1.1 200 OK\r\nContent-Length: 6\r\n\r\nsecret", "", ""},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n6\r\nsecret\r\n0\r\n\r\n", "", ""},
        {"HTTP/1.1 200 OK\r\n\r\nsecret", "truncated", ""},
        {"HTTP/1.1 200 OK\r\nContent-Length: 9\r\n\r\nsecret", "truncated", "truncated"},
    };
    for (const Row& row : rows) {
        const Script start{start_tls(good_context()), read_request(),
                           send(std::string(row.answer))};
        Script ordered = start;
        ordered.push_back(fin());
        EXPECT_EQ(fetch_from(start).failure, row.cut_off) << row.answer;
        EXPECT_EQ(fetch_from(ordered).failure, row.in_order) << row.answer;
    }
}

TEST(Hostile, H60SessionsAndConnectionsStayWithTheirHost) {
    Arena arena;
    const aio::IpAddress address = arena.network().host("evil.test").address();
    arena.network().name("a.evil.test").addresses({address});
    arena.network().name("b.evil.test").addresses({address});
    const auto context =
        context_of(authority().issue("wild", {.dns_name = "*.evil.test", .ip_address = ""}));
    const auto resumed = std::make_shared<std::vector<bool>>();
    const Script script{start_tls(context), make_step([resumed](Stage& stage) -> aio::Co<> {
                            auto& tls = dynamic_cast<aio::TlsTransport&>(stage.stream.transport());
                            resumed->push_back(tls.is_resumed());
                            co_return;
                        }),
                        read_request(),
                        send("HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"),
                        fin()};
    arena.serve("evil.test", 443, {script});

    const std::vector<Ending> endings =
        arena.fetch_all({https("https://a.evil.test/"), https("https://b.evil.test/"),
                         https("https://a.evil.test/"), https("https://b.evil.test/")});

    for (const Ending& ending : endings) expect_answer(ending, 200);
    EXPECT_EQ(*resumed, (std::vector<bool>{false, false, true, true}));
}

TEST(Hostile, H61SecureCookiesNeverGoOverPlainHttp) {
    web::CookieJar jar;
    const WallTime now{};
    ASSERT_TRUE(jar.set({.host = "evil.test", .path = "/", .is_secure = true}, "a=1; Secure", now));

    EXPECT_EQ(jar.header({.host = "evil.test", .path = "/", .is_secure = true}, now), "a=1");
    EXPECT_EQ(jar.header({.host = "evil.test", .path = "/", .is_secure = false}, now), "");
    EXPECT_FALSE(jar.set({.host = "evil.test", .path = "/", .is_secure = false}, "a=2", now));
    EXPECT_EQ(jar.header({.host = "evil.test.", .path = "/", .is_secure = true}, now), "");
}

}  // namespace weft::hostile
