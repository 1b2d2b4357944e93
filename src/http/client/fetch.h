#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "aio/task/co.h"
#include "http/access/authenticator.h"
#include "http/client/client_options.h"
#include "http/client/content.h"
#include "http/client/conversation.h"
#include "http/client/memory_lender.h"
#include "http/connect/dial.h"
#include "http/connect/pool.h"
#include "http/h2/h2_hosts.h"

namespace weft::http {

// What the fetches of one client share.
struct ClientParts {
    explicit ClientParts(ClientOptions the_options);
    ~ClientParts();

    ClientOptions options;
    Pool pool;
    H2Hosts h2;
    Dialer dialer;
    Authenticator authenticator;

    // Of the options that matter for security: part of every key of the pool, and of the TLS
    // sessions that are kept (H60).
    std::string options_key;
};

// One request and its answer under way: what Client::fetch() and Client::stream() are made of. The
// content comes by pull. Destroyed before its end, it closes the connection.
class Fetch {
public:
    // All outlive the fetch.
    Fetch(ClientParts& client, const Request& request, ResponseSink& sink, Response& response);

    // Up to the final head: logged in where the server asked for it. Throws FetchError.
    aio::Co<> start();

    // The next part of what has come of the content, in `room` or in a buffer of the connection;
    // empty: call advance(). Valid until the next call of either, and no longer than `room` is the
    // caller's. Throws FetchError.
    //
    //     do {
    //         for (auto part = fetch.take(room); !part.empty(); part = fetch.take(room)) use(part);
    //         more = co_await fetch.advance();
    //     } while (more);
    std::string_view take(std::span<char> room);

    // Waits for more of the body, or only lets others run where this fetch has had its turn. False
    // at the end of the content. Throws FetchError.
    aio::Co<bool> advance();

private:
    aio::Co<> enter();
    void write_key(std::string& key) const;
    aio::Co<> ask();
    aio::Co<> open();
    aio::Co<> converse();
    bool take_kept();
    bool wants_http2() const;
    bool shares_http2();
    Exchange& exchange();
    Headers& headers();
    Conversation conversation();
    aio::Co<> discard_answer();
    std::unique_ptr<PooledConnection> take_idle();
    aio::Co<> keep_to_bandwidth(std::uint64_t bytes);
    void borrow_memory();
    void choose_way();
    void compose(Headers& headers);
    void compose_framing(Headers& headers) const;
    void check_range();
    bool may_ask_again(const FetchError& error, bool is_kept);
    void finish();

    ClientParts& client_;
    const Request& request_;
    ResponseSink& sink_;
    MemoryLender* lender_;  // May be null.
    Response& response_;
    FetchClock clock_;
    std::optional<Proxy> proxy_;
    std::string target_room_;
    std::string_view target_;
    std::optional<Pool::Turn> turn_;
    std::unique_ptr<PooledConnection> connection_;  // Of HTTP/1.1;
    std::unique_ptr<H2Exchange> h2_;                // or a stream of HTTP/2.
    Headers h2_headers_;
    bool is_http1_only_ = false;
    std::optional<Content> content_;
    std::string authorization_;  // As sent last.
    std::optional<std::uint64_t> part_bytes_;
    std::uint64_t turn_bytes_ = 0;  // Of content since others could run.
    bool is_over_ = false;
};

}  // namespace weft::http
