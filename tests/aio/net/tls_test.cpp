#include "aio/net/tls.h"

#include <atomic>
#include <cstdlib>
#include <fstream>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/loop/shards.h"
#include "aio/net/connect.h"
#include "aio/net/server.h"
#include "aio/net/unix_socket.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/certificates.h"

namespace weft::aio {
namespace {

using tests::CertificateOptions;
using tests::TestAuthority;

TestAuthority& authority() {
    static TestAuthority made;
    return made;
}

std::shared_ptr<TlsContext> server_context(TlsVersion version = TlsVersion::v1_3,
                                           const CertificateOptions& certificate = {}) {
    TlsContext::ServerOptions options;
    options.certificate_file = authority().issue("server", certificate);
    options.version_max = version;
    options.alpn = {"h2", "http/1.1"};
    return TlsContext::server(options);
}

std::shared_ptr<TlsContext> new_client_context() {
    TlsContext::ClientOptions options;
    options.ca_file = authority().ca_file();
    return TlsContext::client(options);
}

// One for all tests: to read the system's authorities takes a third of a second.
std::shared_ptr<TlsContext> client_context() {
    static const std::shared_ptr<TlsContext> made = new_client_context();
    return made;
}

struct Secured {
    Stream client;
    Stream server;
    TlsTransport& client_tls() { return dynamic_cast<TlsTransport&>(client.transport()); }
};

Co<std::unique_ptr<TlsTransport>> accept_on(Stream stream, std::shared_ptr<TlsContext> context) {
    co_return co_await tls_accept(stream.detach(), std::move(context));
}

// Both ends of a session over a pair of sockets.
Co<Secured> secure_pair(StreamPair pair, std::shared_ptr<TlsContext> client,
                        std::shared_ptr<TlsContext> server,
                        TlsClientSession session = {.host = "localhost"}) {
    const Task<std::unique_ptr<TlsTransport>> accepting =
        create_task(accept_on(std::move(pair.second), std::move(server)));
    co_await pair.first.start_tls(std::move(client), std::move(session));
    auto accepted = co_await accepting;
    co_return Secured{std::move(pair.first), Stream(std::move(accepted))};
}

// Passes bytes on one by one, `bytes_max` at most, then keeps silent.
Co<> drip(Stream& from, Stream& to, std::size_t bytes_max) {
    std::array<char, 1> byte;
    for (std::size_t sent = 0; sent < bytes_max; ++sent) {
        const std::size_t count = co_await from.read_some(byte);
        if (count == 0) break;
        co_await to.write({byte.data(), 1});
        co_await sleep(0s);
    }
    co_await sleep(1h);
}

// The host's certificate is `certificate`: what does a client say that wanted `host`?
std::string verdict(const CertificateOptions& certificate, std::string host) {
    try {
        run([](CertificateOptions options, std::string name) -> Co<> {
            co_await secure_pair(make_stream_pair(), client_context(),
                                 server_context(TlsVersion::v1_3, options), {.host = name});
        }(certificate, std::move(host)));
        return "accepted";
    } catch (const TlsError& error) {
        return std::string(describe(error.failure()));
    }
}

constexpr std::string_view kWrongName = "certificate is for another host";

}  // namespace

TEST(Tls, A43AHandshakeThatComesByteByByteSucceeds) {
    for (const TlsVersion version : {TlsVersion::v1_2, TlsVersion::v1_3}) {
        run([](TlsVersion spoken) -> Co<> {
            StreamPair near = make_stream_pair();
            StreamPair far = make_stream_pair();
            co_await task_group([&](TaskGroup& group) -> Co<> {
                group.create_task(drip(near.second, far.first, SIZE_MAX));
                group.create_task(drip(far.first, near.second, SIZE_MAX));
                Secured ends = co_await secure_pair({std::move(near.first), std::move(far.second)},
                                                    client_context(), server_context(spoken));
                co_await ends.client.write("slow but sure\n");
                EXPECT_EQ(co_await ends.server.readline(100), "slow but sure\n");
                group.cancel();
            });
        }(version));
    }
}

TEST(Tls, A43H57AHandshakeThatStallsAnywhereEndsWithTheDeadline) {
    run([]() -> Co<> {
        const auto server = server_context();
        for (const std::size_t bytes : {0uz, 1uz, 5uz, 100uz, 500uz}) {
            StreamPair near = make_stream_pair();
            StreamPair far = make_stream_pair();
            co_await task_group([&](TaskGroup& group) -> Co<> {
                group.create_task(drip(near.second, far.first, SIZE_MAX));
                group.create_task(drip(far.first, near.second, bytes));
                group.create_task(accept_on(std::move(far.second), server));
                EXPECT_THROW(
                    co_await wait_for(near.first.start_tls(client_context(), {.host = "localhost"}),
                                      30ms),
                    TimeoutError);
                group.cancel();
            });
        }
    }());
}

TEST(Tls, A43APeerThatClosesDuringTheHandshakeIsTold) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        pair.second.close();
        try {
            co_await pair.first.start_tls(client_context(), {.host = "localhost"});
            ADD_FAILURE();
        } catch (const TlsError& error) {
            EXPECT_EQ(error.failure(), TlsFailure::closed);
        } catch (const IoError&) {  // If the first flight could not even be sent.
        }
    }());
}

TEST(Tls, A44TlsToAPlainPortIsReadable) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        co_await pair.second.write("HTTP/1.1 400 Bad Request\r\n\r\n");
        try {
            co_await pair.first.start_tls(client_context(), {.host = "localhost"});
            ADD_FAILURE();
        } catch (const TlsError& error) {
            EXPECT_STREQ(error.what(),
                         "tls: localhost: the server does not speak TLS on this port");
        }
    }());
}

TEST(Tls, A44PlainHttpToATlsPortIsReadable) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        co_await pair.first.write("GET / HTTP/1.1\r\nHost: localhost\r\n\r\n");
        try {
            co_await accept_on(std::move(pair.second), server_context());
            ADD_FAILURE();
        } catch (const TlsError& error) {
            EXPECT_EQ(error.failure(), TlsFailure::not_tls);
        }
    }());
}

TEST(Tls, A45BytesLeftInTheSessionNeverStall) {
    run([]() -> Co<> {
        Secured ends = co_await secure_pair(make_stream_pair(), client_context(), server_context());
        const std::string record(16 * 1024, 'r');
        co_await ends.server.write(record);  // One record; then the socket is idle, but open.

        std::array<char, 1024> room;
        std::string received;
        Transport& transport = ends.client.transport();
        while (received.size() < record.size()) {
            const IoResult result = transport.read(room);
            if (result) {
                received.append(room.data(), *result);
            } else {
                co_await wait_for(
                    [](Transport& of) -> Co<> { co_await of.until_readable(); }(transport), 5s);
            }
        }

        EXPECT_EQ(received, record);
    }());
}

TEST(Tls, BothWaysAtOnceThroughFullBuffers) {
    run([]() -> Co<> {
        Secured ends = co_await secure_pair(make_stream_pair(), client_context(), server_context());
        const std::string bytes(4 << 20, 'b');
        const auto send = [](Stream& stream, std::string_view text) -> Co<std::size_t> {
            co_await stream.write(text);
            co_return text.size();
        };
        const auto receive = [](Stream& stream, std::size_t count) -> Co<std::size_t> {
            const std::string text = co_await stream.readexactly(count);
            co_return text.size();
        };
        std::vector<Co<std::size_t>> all;
        all.push_back(send(ends.client, bytes));
        all.push_back(send(ends.server, bytes));
        all.push_back(receive(ends.client, bytes.size()));
        all.push_back(receive(ends.server, bytes.size()));

        const std::vector<std::size_t> moved = co_await gather(std::move(all));

        EXPECT_EQ(moved, std::vector<std::size_t>(4, bytes.size()));
    }());
}

TEST(Tls, ASecondSessionIsReallyResumed) {
    for (const TlsVersion version : {TlsVersion::v1_2, TlsVersion::v1_3}) {
        run([](TlsVersion spoken) -> Co<> {
            const auto server = server_context(spoken);
            const auto client = new_client_context();
            for (int round = 0; round < 4; ++round) {
                Secured ends =
                    co_await secure_pair(make_stream_pair(), client, server,
                                         {.host = "localhost", .resumption_key = "localhost:443"});
                co_await ends.server.write("tickets come before this\n");
                co_await ends.client.readline(100);
                EXPECT_EQ(ends.client_tls().is_resumed(), round > 0) << round;
                EXPECT_EQ(ends.client_tls().protocol(),
                          spoken == TlsVersion::v1_2 ? "TLSv1.2" : "TLSv1.3");
            }
        }(version));
    }
}

TEST(Tls, H60ASessionIsNotResumedUnderAnotherKeyOrNone) {
    run([]() -> Co<> {
        const auto server = server_context();
        const auto client = client_context();
        for (const std::string key : {"a:443", "b:443", "", ""}) {
            Secured ends = co_await secure_pair(make_stream_pair(), client, server,
                                                {.host = "localhost", .resumption_key = key});
            co_await ends.server.write("x\n");
            co_await ends.client.readline(100);
            EXPECT_FALSE(ends.client_tls().is_resumed()) << key;
        }
    }());
}

TEST(Tls, AlpnChoosesTheServersFavourite) {
    run([]() -> Co<> {
        const auto server = server_context();
        Secured both = co_await secure_pair(make_stream_pair(), client_context(), server,
                                            {.host = "localhost", .alpn = {"http/1.1", "h2"}});
        EXPECT_EQ(both.client_tls().alpn(), "h2");
        Secured one = co_await secure_pair(make_stream_pair(), client_context(), server,
                                           {.host = "localhost", .alpn = {"http/1.1"}});
        EXPECT_EQ(one.client_tls().alpn(), "http/1.1");
        Secured none = co_await secure_pair(make_stream_pair(), client_context(), server);
        EXPECT_EQ(none.client_tls().alpn(), "");
    }());
}

TEST(Tls, AServerThatAsksGetsTheClientsCertificate) {
    for (const TlsVersion version : {TlsVersion::v1_2, TlsVersion::v1_3}) {
        run([](TlsVersion spoken) -> Co<> {
            TlsContext::ServerOptions strict;
            strict.certificate_file = authority().issue("strict");
            strict.client_ca_file = authority().ca_file();
            strict.version_max = spoken;
            const auto server = TlsContext::server(strict);
            TlsContext::ClientOptions known;
            known.ca_file = authority().ca_file();
            known.certificate_file = authority().issue("client");

            Secured ends =
                co_await secure_pair(make_stream_pair(), TlsContext::client(known), server);
            co_await ends.client.write("it is me\n");
            EXPECT_EQ(co_await ends.server.readline(100), "it is me\n");

            StreamPair pair = make_stream_pair();
            const Task<std::unique_ptr<TlsTransport>> accepting =
                create_task(accept_on(std::move(pair.second), server));
            bool refused = false;
            try {
                co_await pair.first.start_tls(client_context(), {.host = "localhost"});
                co_await pair.first.fill();  // TLS 1.3 tells a client only after its handshake.
            } catch (const Error&) {
                refused = true;
            }
            EXPECT_TRUE(refused);
            EXPECT_THROW(co_await accepting, TlsError);
        }(version));
    }
}

TEST(Tls, H59AnEndWithoutCloseNotifyIsNotClean) {
    run([]() -> Co<> {
        Secured cut = co_await secure_pair(make_stream_pair(), client_context(), server_context());
        co_await cut.server.write("some");
        cut.server.close();
        EXPECT_EQ(co_await cut.client.read(100), "some");
        EXPECT_FALSE(cut.client_tls().ended_cleanly());

        Secured whole =
            co_await secure_pair(make_stream_pair(), client_context(), server_context());
        co_await whole.server.write("all");
        const Task<> closing = create_task([](Stream stream) -> Co<> {
            co_await stream.close_gracefully();
        }(std::move(whole.server)));
        EXPECT_EQ(co_await whole.client.read(100), "all");
        EXPECT_TRUE(whole.client_tls().ended_cleanly());
        whole.client.close();
        co_await closing;
    }());
}

TEST(Tls, StartTlsRefusesBytesThatCameBefore) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        co_await pair.second.write("injected");
        co_await pair.first.fill();

        EXPECT_THROW(co_await pair.first.start_tls(client_context(), {.host = "localhost"}),
                     TlsError);
        EXPECT_TRUE(pair.first.is_closed());
    }());
}

TEST(Tls, H56NamesAndWildcardsFollowTheRules) {
    const CertificateOptions wild{.dns_name = "*.site.test", .ip_address = ""};
    EXPECT_EQ(verdict(wild, "a.site.test"), "accepted");
    EXPECT_EQ(verdict(wild, "A.Site.Test."), "accepted");
    EXPECT_EQ(verdict(wild, "site.test"), kWrongName);
    EXPECT_EQ(verdict(wild, "a.b.site.test"), kWrongName);
    EXPECT_EQ(verdict({.dns_name = "*.test", .ip_address = ""}, "site.test"), kWrongName);
    EXPECT_EQ(verdict({.dns_name = "a*.site.test", .ip_address = ""}, "ab.site.test"), kWrongName);
    EXPECT_EQ(verdict({.dns_name = "a.*.test", .ip_address = ""}, "a.site.test"), kWrongName);
}

TEST(Tls, H56AnAddressNeedsItsOwnEntry) {
    EXPECT_EQ(verdict({.dns_name = "", .ip_address = "127.0.0.1"}, "127.0.0.1"), "accepted");
    EXPECT_EQ(verdict({.dns_name = "", .ip_address = "::1"}, "::1"), "accepted");
    EXPECT_EQ(verdict({.dns_name = "", .ip_address = "127.0.0.2"}, "127.0.0.1"), kWrongName);
    EXPECT_EQ(verdict({.dns_name = "127.0.0.1", .ip_address = ""}, "127.0.0.1"), kWrongName);
}

TEST(Tls, H56ANameOnlyInTheSubjectDoesNotCount) {
    // The subject is "server".
    EXPECT_EQ(verdict({.dns_name = "", .ip_address = ""}, "server"), kWrongName);
}

TEST(Tls, H57AnEndlessChainOfCertificatesIsRefused) {
    const std::filesystem::path file = authority().issue("chain");
    std::ifstream ca(authority().ca_file());
    const std::string link((std::istreambuf_iterator<char>(ca)), {});
    std::ofstream chain(file, std::ios::app);
    for (int i = 0; i < 300; ++i) chain << link;
    chain.close();
    TlsContext::ServerOptions options;
    options.certificate_file = file;

    EXPECT_THROW(run([](std::shared_ptr<TlsContext> server) -> Co<> {
                     co_await secure_pair(make_stream_pair(), client_context(), server);
                 }(TlsContext::server(options))),
                 TlsError);
}

TEST(Tls, KeysAreLoggedWhereTheEnvironmentSays) {
    const std::filesystem::path file = authority().ca_file().parent_path() / "keys.log";
    ::setenv("SSLKEYLOGFILE", file.c_str(), 1);
    run([]() -> Co<> {
        co_await secure_pair(make_stream_pair(), new_client_context(), server_context());
    }());
    ::unsetenv("SSLKEYLOGFILE");

    std::ifstream log(file);
    const std::string text((std::istreambuf_iterator<char>(log)), {});
    EXPECT_NE(text.find("CLIENT_TRAFFIC_SECRET_0 "), std::string::npos);
}

TEST(Tls, OpenConnectionAndStartServerSpeakIt) {
    run([]() -> Co<> {
        const auto greet = [](Stream stream) -> Co<> {
            co_await stream.write("secret\n");
            co_await stream.close_gracefully();
        };
        const Server server =
            start_server(greet, {IpAddress::loopback(), 0}, {.tls = server_context()});

        Stream stream =
            co_await open_connection("127.0.0.1", server.local().port, {.tls = client_context()});

        EXPECT_EQ(co_await stream.read(100), "secret\n");
    }());
}

namespace {

// Another transport, whose outgoing side can be shut: as a connection whose peer reads nothing.
class Valve final : public Transport {
public:
    explicit Valve(std::unique_ptr<Transport> inner) : inner_(std::move(inner)) {}

    void shut() { is_shut_ = true; }
    void open() {
        is_shut_ = false;
        opened_.set();
    }

    IoResult read(std::span<char> room) override { return inner_->read(room); }
    IoResult write(std::string_view bytes) override {
        if (!is_shut_) return inner_->write(bytes);
        return std::unexpected(std::make_error_code(std::errc::operation_would_block));
    }
    IoWait until_readable() override { return inner_->until_readable(); }
    IoWait until_writable() override {
        return is_shut_ ? opened_.wait() : inner_->until_writable();
    }
    void shutdown_write() override { inner_->shutdown_write(); }
    Endpoint local() const override { return inner_->local(); }
    Endpoint peer() const override { return inner_->peer(); }

private:
    std::unique_ptr<Transport> inner_;
    IoSide opened_;
    bool is_shut_ = false;
};

struct Valved {
    Valve* valve;
    Secured ends;
};

Co<Valved> valved_pair() {
    StreamPair pair = make_stream_pair();
    auto made = std::make_unique<Valve>(pair.first.detach());
    Valve* valve = made.get();
    pair.first = Stream(std::move(made));
    Secured ends = co_await secure_pair(std::move(pair), client_context(), server_context());
    co_return Valved{valve, std::move(ends)};
}

}  // namespace

// The end was tried once and forgotten when the connection took nothing.
TEST(Tls, AnEndThatCannotBeSentNowIsSentLater) {
    run([]() -> Co<> {
        Valved valved = co_await valved_pair();
        Task<std::string> answer = create_task([](Stream& server) -> Co<std::string> {
            const std::string question = co_await server.read(100);  // To the end.
            co_await server.write("answer to " + question);
            server.write_eof();
            co_return question;
        }(valved.ends.server));
        co_await valved.ends.client.write("question");
        valved.valve->shut();
        valved.ends.client.write_eof();
        Task<std::string> reading = create_task(valved.ends.client.read(100));
        co_await sleep(5ms);
        EXPECT_FALSE(answer.done());

        valved.valve->open();

        EXPECT_EQ(co_await wait_for(answer, 10s), "question");
        EXPECT_EQ(co_await wait_for(reading, 10s), "answer to question");
    }());
}

TEST(Tls, AStreamMayGoWhileItsEndWaits) {
    run([]() -> Co<> {
        {
            Valved valved = co_await valved_pair();
            valved.valve->shut();
            valved.ends.client.write_eof();
            co_await sleep(1ms);
        }
        Valved valved = co_await valved_pair();
        valved.valve->shut();
        valved.ends.client.write_eof();
        Task<> closing = create_task(valved.ends.client.close_gracefully());
        co_await sleep(1ms);
        valved.valve->open();
        EXPECT_EQ(co_await wait_for(valved.ends.server.read(10), 10s), "");
        valved.ends.server.close();
        co_await wait_for(closing, 10s);
    }());
}

// The handshake went on, and its session took the place of the stream that was closed.
TEST(Tls, CloseEndsAHandshakeUnderWay) {
    run([]() -> Co<> {
        StreamPair pair = make_stream_pair();
        Task<> starting =
            create_task(pair.first.start_tls(client_context(), {.host = "localhost"}));
        co_await sleep(1ms);
        Task<std::unique_ptr<TlsTransport>> accepting =
            create_task(accept_on(std::move(pair.second), server_context()));

        pair.first.close();

        try {
            co_await wait_for(starting, 10s);
            ADD_FAILURE();
        } catch (const IoError& error) {
            EXPECT_EQ(error.code(), std::errc::operation_canceled);
        }
        EXPECT_TRUE(pair.first.is_closed());
        EXPECT_THROW(co_await wait_for(accepting, 10s), Error);
    }());
}

// The sessions to resume were a map without a lock: a data race that the guide invited.
TEST(Tls, OneContextServesSeveralLoops) {
    const auto client = new_client_context();
    const auto server = server_context();
    std::atomic<int> resumed = 0;
    Shards shards(3);
    shards.run([&](const Shard&) -> Co<> {
        for (int i = 0; i < 20; ++i) {
            Secured ends =
                co_await secure_pair(make_stream_pair(), client, server,
                                     {.host = "localhost", .resumption_key = "localhost:443"});
            co_await ends.server.write("x");
            EXPECT_EQ(co_await ends.client.readexactly(1), "x");
            resumed += ends.client_tls().is_resumed();
        }
    });
    EXPECT_GT(resumed, 0);
}

}  // namespace weft::aio
