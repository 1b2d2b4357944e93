#pragma once

#include <optional>
#include <string>
#include <string_view>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "http/client/client.h"
#include "support/certificates.h"
#include "support/real_server.h"
#include "support/scratch.h"

// Real servers and proxies, each with a folder and a port of its own.
namespace weft::http {

inline constexpr std::string_view kBrief = "hello from a file\n";

// Large enough that a server packs it, and sends it in several pieces.
inline std::string long_text() {
    std::string text;
    for (int i = 0; i < 8'000; ++i) text += fmt::format("line {} of a long page\n", i);
    return text;
}

// What every server serves.
inline void write_pages(const tests::Scratch& scratch) {
    scratch.write("www/brief.txt", kBrief);
    scratch.write("www/long.txt", long_text());
    scratch.write("www/folder/page.html", "<p>page");
}

inline ClientOptions peer_options(const tests::TestAuthority* authority = nullptr) {
    ClientOptions options;
    options.addresses.allow(*AddressRange::parse("127.0.0.0/8"));
    if (authority) options.ca_file = authority->ca_file();
    return options;
}

inline web::Url peer_url(std::string_view scheme, std::uint16_t port, std::string_view path) {
    return web::Url::parse(fmt::format("{}://127.0.0.1:{}{}", scheme, port, path)).value();
}

// What was fetched, and the raw answer.
struct Fetched {
    Response response;
    std::string content;
    std::string wire;
};

class Recorder final : public ResponseSink {
public:
    void on_start() override { content.clear(), wire.clear(); }
    void on_wire(std::string_view bytes) override { wire += bytes; }
    void on_content(std::string_view piece) override { content += piece; }

    std::string content;
    std::string wire;
};

inline aio::Co<Fetched> fetch(Client& client, Request request) {
    Recorder recorder;
    Response response = co_await client.fetch(std::move(request), recorder);
    co_return Fetched{std::move(response), std::move(recorder.content), std::move(recorder.wire)};
}

// Runs `body(client)` with a client of these options.
template <class Body>
void with_client(ClientOptions options, Body body) {
    aio::run([](ClientOptions own, Body inner) -> aio::Co<> {
        Client client(std::move(own));
        co_await inner(client);
    }(std::move(options), std::move(body)));
}

}  // namespace weft::http
