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

// What the fetches of one client share. Owned by the Client; on its loop's thread.
struct ClientParts {
    explicit ClientParts(ClientOptions the_options);
    ~ClientParts();

    ClientOptions options;
    Pool pool;
    H2Hosts h2;
    Dialer dialer;
    Authenticator authenticator;

    // A hash of the options that matter for security. It is part of every pool key and of every key
    // for TLS sessions, so connections made under other options are never reused (H60).
    std::string options_key;
};

// One request and its response. Client::fetch() and Client::stream() are built on it. The caller
// pulls the content. Destroying it before the end, also by cancellation, closes the HTTP/1.1
// connection or resets the HTTP/2 stream.
class Fetch {
public:
    // All arguments must outlive the fetch.
    Fetch(ClientParts& client, const Request& request, ResponseSink& sink, Response& response);
    ~Fetch();
    Fetch(const Fetch&) = delete;
    Fetch& operator=(const Fetch&) = delete;

    // Returns when the final head has arrived, after a login if the server asked for one. Throws
    // FetchError.
    aio::Co<> start();

    // The next part of the content that is available without waiting, in `room` or in a buffer of
    // the connection. Empty: call advance(). Valid until the next call of take() or advance(), and
    // only while the caller owns `room`. Throws FetchError.
    //
    //     do {
    //         for (auto part = fetch.take(room); !part.empty(); part = fetch.take(room)) use(part);
    //         more = co_await fetch.advance();
    //     } while (more);
    std::string_view take(std::span<char> room);

    // Waits for more of the body. If this fetch has used up its turn, it only lets other tasks run.
    // False at the end of the content. Throws FetchError.
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
    HttpExchange& exchange();
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
    void leave_http2();

    ClientParts& client_;
    const Request& request_;
    ResponseSink& sink_;
    MemoryLender* lender_;  // The sink, if it is a MemoryLender; else null.
    Response& response_;
    FetchClock clock_;
    std::optional<Proxy> proxy_;
    std::string target_room_;  // The target for an HTTP proxy (absolute form); else empty.
    std::string_view target_;
    std::optional<Pool::Turn> turn_;
    std::unique_ptr<PooledConnection> connection_;  // HTTP/1.1; at most one of these two is set.
    std::unique_ptr<H2Exchange> h2_;                // A stream of HTTP/2.
    Headers h2_headers_;
    bool is_http1_only_ = false;  // The server refused HTTP/2 for this request.
    std::optional<Content> content_;
    std::string authorization_;                // As sent last.
    std::optional<std::uint64_t> part_bytes_;  // The length of the range that a 206 announced.
    std::uint64_t turn_bytes_ = 0;             // Content since other tasks could last run.
    bool is_over_ = false;
};

}  // namespace weft::http
