// H131 to H134: proxies that are slow, silent, broken or not proxies at all. Whatever they do, the
// fetch ends in time with a failure of its own, and the proxy is not asked again and again.
#include "http/connect/proxy.h"

#include <gtest/gtest.h>

#include "aio/net/tls.h"
#include "aio/task/task_group.h"
#include "hostile/arena.h"
#include "support/certificates.h"
#include "support/h2_frames.h"

namespace weft::hostile {
namespace {

using namespace std::string_literals;

const std::string kGreeting = "\x05\x00"s;
const std::string kLed = "\x05\x00\x00\x01\x00\x00\x00\x00\x00\x00"s;
const std::string kTunnel = "HTTP/1.1 200 Connection established\r\n\r\n";
const std::string kPage = "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello";
const Duration kProxyLimit = http::FetchLimits{}.proxy_timeout;

Fetch by_proxy(std::string proxy, std::string url = "http://site.test/") {
    Fetch fetch{.url = std::move(url)};
    fetch.client.proxies.all = std::move(proxy);
    fetch.client.proxies.none = "canary.test";
    return fetch;
}

Fetch by_socks(std::string url = "http://site.test/") {
    return by_proxy("socks5h://evil.test:1080", std::move(url));
}

Fetch by_tunnel(std::string url = "https://site.test/") {
    return by_proxy("http://evil.test:1080", std::move(url));
}

Step read_bytes(std::size_t count) {
    return make_step([count](Stage& stage) -> aio::Co<> {
        const std::string bytes = co_await stage.stream.readexactly(count);
        stage.heard += bytes;
    });
}

// Greeting and request of a client that has no password and asks for site.test.
Script socks_script(std::string reply) {
    return {read_bytes(3), send(kGreeting), read_bytes(16), send(std::move(reply))};
}

Ending fetch_by(const Fetch& fetch, Script script) {
    Arena arena;
    arena.serve("evil.test", 1080, {std::move(script)});
    return arena.fetch(fetch);
}

// Without the canary, which does not speak HTTP/2.
Ending fetch_alone(const Fetch& fetch, Script script) {
    Arena arena;
    arena.serve("evil.test", 1080, {std::move(script)});
    return arena.loop().run([](Arena& there, Fetch wanted) -> aio::Co<Ending> {
        Ending ending;
        co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
            group.create_task(there.serve_all());
            http::Client client(wanted.client);
            ending = co_await run_fetch(client, std::move(wanted), {});
            group.cancel();
        });
        co_return ending;
    }(arena, fetch));
}

}  // namespace

TEST(Hostile, H131ASocksProxyThatIsSilentAnywhereEndsByItsLimit) {
    for (const Script& script : {Script{sleep(1h)}, Script{read_bytes(3), sleep(1h)},
                                 Script{read_bytes(3), send("\x05"), sleep(1h)},
                                 Script{read_bytes(3), send(kGreeting), sleep(1h)},
                                 Script{read_bytes(3), send(kGreeting), read_bytes(16),
                                        send(kLed.substr(0, 9)), sleep(1h)},
                                 Script{read_bytes(3), drip(kGreeting + kLed, 3s), sleep(1h)}}) {
        const Ending ending = fetch_by(by_socks(), script);
        expect_failure(ending, "proxy_timeout", {.deadline = kProxyLimit});
        EXPECT_NE(ending.what.find("proxy"), std::string::npos) << ending.what;
    }
}

TEST(Hostile, H131ASocksProxyThatClosesAtAnyByteIsOneThatFailed) {
    const std::string named = "\x05\x00\x00\x03\x04name\x00\x50"s;
    for (const std::string& reply : {kLed, named}) {
        for (std::size_t i = 0; i < reply.size(); ++i) {
            SCOPED_TRACE(i);
            expect_failure(fetch_by(by_socks(), socks_script(reply.substr(0, i))), "proxy_failed");
        }
        Script whole = socks_script(reply);
        whole.push_back(read_request());
        whole.push_back(send(kPage));
        expect_answer(fetch_by(by_socks(), whole), 200);
    }
    expect_failure(fetch_by(by_socks(), {}), "proxy_failed");
    expect_failure(fetch_by(by_socks(), {read_bytes(3)}), "proxy_failed");
    expect_failure(fetch_by(by_socks(), {read_bytes(3), send("\x05")}), "proxy_failed");
    expect_failure(fetch_by(by_socks(), {read_bytes(3), send(kGreeting)}), "proxy_failed");
}

TEST(Hostile, H132WhatASocksProxyMayNotSayIsARefusal) {
    struct Row {
        std::string greeting;
        std::string reply;
        std::string_view failure;
        std::string_view words;
    };
    const std::vector<Row> rows{
        {"\x04\x00"s, "", "proxy_failed", "does not speak SOCKS 5"},
        {"HTTP/1.1 400 Bad Request\r\n\r\n", "", "proxy_failed", "does not speak SOCKS 5"},
        {"\x05\xff"s, "", "proxy_auth", "wants a user and a password"},
        {"\x05\x02"s, "", "proxy_auth", "wants a user and a password"},
        {"\x05\x01"s, "", "proxy_failed", "a way to log in that we do not know"},
        {"\x05\x80"s, "", "proxy_failed", "a way to log in that we do not know"},
        {kGreeting, "\x04\x00\x00\x01\x00\x00\x00\x00\x00\x00"s, "proxy_failed", "SOCKS 5"},
        {kGreeting, "\x05\x01\x00\x01\x00\x00\x00\x00\x00\x00"s, "proxy_failed", "it failed"},
        {kGreeting, "\x05\x02\x00\x01\x00\x00\x00\x00\x00\x00"s, "proxy_failed", "forbid"},
        {kGreeting, "\x05\x05\x00\x01\x00\x00\x00\x00\x00\x00"s, "proxy_failed", "refused"},
        {kGreeting, "\x05\xff\x00\x01\x00\x00\x00\x00\x00\x00"s, "proxy_failed", "unknown reason"},
        {kGreeting, "\x05\x00\x00\x00\x00\x00\x00\x00\x00\x00"s, "proxy_failed", "no sense"},
        {kGreeting, "\x05\x00\x00\x02\x00\x00\x00\x00\x00\x00"s, "proxy_failed", "no sense"},
        {kGreeting, "\x05\x00\x00\xff\x00\x00\x00\x00\x00\x00"s, "proxy_failed", "no sense"},
    };
    for (const Row& row : rows) {
        for (const bool is_dripped : {false, true}) {
            const auto say = [&](const std::string& bytes) {
                return is_dripped ? drip(bytes, 1us) : send(bytes);
            };
            Arena arena;
            const ScriptedServer& proxy =
                arena.serve("evil.test", 1080,
                            {{read_bytes(3), say(row.greeting), read_bytes(16), say(row.reply)}});
            const Ending ending = arena.fetch(by_socks());
            expect_failure(ending, row.failure);
            EXPECT_NE(ending.what.find(row.words), std::string::npos) << ending.what;
            EXPECT_EQ(proxy.connection_count(), 1u);
        }
    }
}

TEST(Hostile, H132ASocksLoginThatFailsIsTriedOnce) {
    const auto fetch_as = [](const std::string& user, Script script) {
        return fetch_by(by_proxy("socks5h://" + user + ":word@evil.test:1080"), std::move(script));
    };
    const std::string wants = "\x05\x02"s;
    for (const std::string& verdict : {"\x01\x01"s, "\x01\xff"s, "\x05\x01"s}) {
        expect_failure(
            fetch_as("name", {read_bytes(4), send(wants), read_bytes(11), send(verdict)}),
            "proxy_auth");
    }
    expect_failure(fetch_as("name", {read_bytes(4), send(wants), read_bytes(11), send("\x01")}),
                   "proxy_failed");
    expect_failure(fetch_as("name", {read_bytes(4), send(wants), sleep(1h)}), "proxy_timeout",
                   {.deadline = kProxyLimit});
    expect_failure(fetch_as(std::string(256, 'n'), {read_bytes(4), send(wants), sleep(1h)}),
                   "proxy_auth");
    expect_answer(fetch_as(std::string(255, 'n'),
                           {read_bytes(4), send(wants), read_bytes(262), send("\x01\x00"s),
                            read_bytes(16), send(kLed), read_request(), send(kPage)}),
                  200);
}

TEST(Hostile, H133ASocksProxyThatNeverStopsSpeakingIsCutOff) {
    using tests::h2::times;
    expect_failure(fetch_by(by_socks(), {read_bytes(3), loop(times(4'000, kGreeting))}),
                   "proxy_failed");
    expect_failure(
        fetch_by(by_socks(), {read_bytes(3), loop(times(4'000, "\x05\x00\x00\x03\xff"s))}),
        "proxy_failed");
    Script talking = socks_script(kLed);
    talking.push_back(loop(times(1'000, "no answer, ")));
    expect_failure(fetch_by(by_socks(), talking), "not_http");
    expect_failure(fetch_by(by_socks("https://site.test/"), talking), "tls_failed");
}

// The first bytes of the server came together with the proxy's reply, and an assertion ended the
// program.
TEST(Hostile, H133AServerMaySpeakBeforeItIsAsked) {
    namespace h2 = tests::h2;
    Fetch fetch = by_socks();
    fetch.client.protocols = http::Protocols::http2_prior_knowledge;
    Script early = socks_script(kLed + h2::server_settings());
    early.push_back(await_request());
    early.push_back(send(h2::page(1, "hello")));
    early.push_back(sleep(1h));
    const Ending ending = fetch_alone(fetch, early);
    expect_answer(ending, 200);
    EXPECT_EQ(ending.content, "hello");

    for (const std::string& noise :
         {"x"s, "HTTP/1.1 400 Bad\r\n\r\n"s, std::string(70'000, '\0')}) {
        Script noisy = socks_script(kLed + noise);
        noisy.push_back(await_request());
        noisy.push_back(fin());
        EXPECT_NE(fetch_alone(fetch, noisy).failure, "");
    }
    Script answered = socks_script(kLed + kPage);
    answered.push_back(read_request());
    answered.push_back(sleep(1h));
    expect_answer(fetch_by(by_socks(), answered), 200);
}

TEST(Hostile, H134ATunnelThatIsSilentAnywhereEndsByItsLimit) {
    for (const Script& script :
         {Script{sleep(1h)}, Script{read_request(), sleep(1h)},
          Script{read_request(), send(kTunnel.substr(0, kTunnel.size() - 1)), sleep(1h)},
          Script{read_request(), drip(kTunnel, 1s)},
          Script{read_request(), send("HTTP/1.1 100 Continue\r\n\r\n"), sleep(1h)}}) {
        expect_failure(fetch_by(by_tunnel(), script), "proxy_timeout", {.deadline = kProxyLimit});
    }
    expect_failure(fetch_by(by_tunnel(), {read_request(), send(kTunnel), sleep(1h)}), "tls_timeout",
                   {.deadline = http::FetchLimits{}.tls_timeout});
}

TEST(Hostile, H134ATunnelThatClosesAtAnyByteIsOneThatFailed) {
    for (std::size_t i = 0; i < kTunnel.size(); ++i) {
        SCOPED_TRACE(i);
        expect_failure(fetch_by(by_tunnel(), {read_request(), send(kTunnel.substr(0, i))}),
                       "proxy_failed");
    }
    expect_failure(fetch_by(by_tunnel(), {}), "proxy_failed");
    expect_failure(fetch_by(by_tunnel(), {read_request(), send(kTunnel)}), "tls_failed");
}

TEST(Hostile, H134WhatIsNoTunnelIsARefusal) {
    struct Row {
        std::string answer;
        std::string_view failure;
    };
    const std::vector<Row> rows{
        {"HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=x\r\nContent-Length: 0\r\n\r\n",
         "proxy_auth"},
        {"HTTP/1.1 401 Who?\r\nWWW-Authenticate: Basic realm=x\r\n\r\n", "proxy_failed"},
        {"HTTP/1.1 302 Elsewhere\r\nLocation: https://other.test/\r\n\r\n", "proxy_failed"},
        {"HTTP/1.1 403 \x1b[31mNo\r\n\r\n", "proxy_failed"},
        {"HTTP/1.1 502 No\r\n\r\n", "proxy_failed"},
        {"HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\n\r\n", "proxy_failed"},
        {"HTTP/2 200\r\n\r\n", "proxy_failed"},
        {"HTTP/1.1 2000 OK\r\n\r\n", "proxy_failed"},
        {"HTTP/1.1 -1 OK\r\n\r\n", "proxy_failed"},
        {"\x05\x00 is SOCKS\r\n\r\n"s, "proxy_failed"},
        {"220 mail.test ESMTP\r\n\r\n", "proxy_failed"},
        {std::string(1000, '\0'), "proxy_failed"},
        {"HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nhello", "tls_failed"},
        {"HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n5\r\nhello\r\n0\r\n\r\n",
         "tls_failed"},
        {kTunnel + kPage, "tls_failed"},
    };
    for (const Row& row : rows) {
        SCOPED_TRACE(row.answer.substr(0, 40));
        for (const std::string user : {"", "name:word@"}) {
            Arena arena;
            const ScriptedServer& proxy =
                arena.serve("evil.test", 1080, {{read_request(), send(row.answer)}});
            const Ending ending =
                arena.fetch(by_proxy("http://" + user + "evil.test:1080", "https://site.test/"));
            expect_failure(ending, row.failure);
            EXPECT_EQ(ending.what.find('\x1b'), std::string::npos);
            EXPECT_EQ(proxy.connection_count(), 1u) << "asked again";
        }
    }
}

TEST(Hostile, H134HeadsOfATunnelHaveTheBoundsOfAnyHead) {
    using tests::h2::times;
    const std::string line = times(2'000, "X: y\r\n");
    const std::string letters(10'000, 'y');
    for (const Script& script :
         {Script{read_request(), send("HTTP/1.1 200 OK\r\n"), loop(line)},
          Script{read_request(), send("HTTP/1.1 200 OK\r\nX: "), loop(letters)},
          Script{read_request(), send("HTTP/1.1 200 "), loop(letters)},
          Script{read_request(), loop(times(500, "HTTP/1.1 100 Continue\r\n\r\n"))},
          Script{read_request(), loop(times(5'000, "\r\n"))}}) {
        expect_failure(fetch_by(by_tunnel(), script), "proxy_failed");
    }
}

TEST(Hostile, H134ALoginAtAProxyGoesToTheProxyAloneAndOnce) {
    tests::TestAuthority authority;
    aio::TlsContext::ServerOptions options;
    options.certificate_file = authority.issue("site", {.dns_name = "site.test", .ip_address = ""});
    const auto context = aio::TlsContext::server(options);
    Arena arena;
    const ScriptedServer& proxy = arena.serve(
        "evil.test", 1080,
        {{read_request(), send(kTunnel), start_tls(context), read_request(), send(kPage), fin()}});
    Fetch fetch = by_proxy("http://name:word@evil.test:1080", "https://site.test/");
    fetch.client.ca_file = authority.ca_file();

    expect_answer(arena.fetch(fetch), 200);

    const std::string& heard = proxy.heard().front();
    const std::string login = "Proxy-Authorization: Basic bmFtZTp3b3Jk\r\n";
    EXPECT_NE(heard.find(login), std::string::npos);
    EXPECT_EQ(heard.find("Proxy-Authorization", heard.find(login) + 1), std::string::npos);

    // 407 to each plain request is an answer, not a reason to ask for ever.
    Arena plain;
    const ScriptedServer& refusing =
        plain.serve("evil.test", 1080,
                    {{read_request(),
                      send("HTTP/1.1 407 Who?\r\nProxy-Authenticate: Basic realm=x\r\n"
                           "Content-Length: 0\r\n\r\n"),
                      sleep(1h)}});
    expect_answer(plain.fetch(by_proxy("http://name:word@evil.test:1080")), 407);
    EXPECT_EQ(refusing.connection_count(), 1u);
}

TEST(Hostile, H134ACrawlThroughABrokenProxyEnds) {
    for (const auto& [script, failure] :
         {std::pair(Script{}, "proxy_failed"), std::pair(Script{sleep(1h)}, "proxy_timeout"),
          std::pair(Script{read_bytes(3), send("\x05\xff"s)}, "proxy_auth")}) {
        Arena arena;
        arena.serve("evil.test", 1080, {script});
        crawl::Config config;
        config.seeds.push_back(web::Url::parse("http://site.test/").value());
        config.client.proxies.all = "socks5h://evil.test:1080";

        const std::vector<crawl::Outcome> outcomes = arena.crawl(config);

        ASSERT_EQ(outcomes.size(), 1u);
        EXPECT_EQ(outcomes[0].ending, crawl::Ending::failed);
        EXPECT_EQ(outcomes[0].failure, failure);
        EXPECT_LE(outcomes[0].attempt_count, 3u);
    }
}

}  // namespace weft::hostile
