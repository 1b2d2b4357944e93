#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "aio/task/async_generator.h"
#include "aio/task/co.h"
#include "http/client/client_options.h"
#include "http/client/failure.h"
#include "http/message/message.h"

namespace weft::http {

struct ClientParts;

// An answer whose content is taken piece by piece, as fast as the reader likes: while it does not
// ask, nothing is read and the server has to wait. Dropped before the end, it closes the
// connection. A piece is valid until the next one is asked for.
struct Download {
    // The head; sizes and times are complete when the body is.
    std::shared_ptr<const Response> response;
    aio::AsyncGenerator<std::string_view> body;
};

// Fetches over HTTP, with and without TLS, keeping connections for the next fetch.
//
//     http::Client client({.user_agent = "example/1.0 (+https://example.com/bot)"});
//
//     http::ContentBuffer page;
//     http::Response response = co_await client.fetch({.url = url}, page);
//
//     http::Download download = co_await client.stream({.url = url});
//     while (auto piece = co_await download.body.next()) hash.update(*piece);
//
// One fetch is one request, and redirects are the caller's policy (http/client/get.h follows them),
// but for two things: a request that meets a kept connection just as the server closes it is sent
// once more on a new one (H09), and a server that asks who we are (401) is told, if the options
// have credentials for its origin.
//
// An answer of any status is a Response; everything else is a FetchError: the answer was not whole,
// or took too long, or the address is one we do not go to. On one loop's thread; lives no longer
// than the loop runs, and longer than its fetches.
class Client {
public:
    explicit Client(ClientOptions options = {});
    Client(Client&&) noexcept;
    ~Client();

    // Cancelled, the connection is closed. `sink` lives until the end.
    aio::Co<Response> fetch(Request request, ResponseSink& sink);

    // The same into a Response that had another answer before: its memory is used again, so that a
    // steady fetch allocates nothing besides what the sink does. All live until the end.
    aio::Co<> fetch(const Request& request, ResponseSink& sink, Response& response);

    // Returns when the head has come.
    aio::Co<Download> stream(Request request);

    // The TLS sessions that may be resumed, as text for ClientOptions::tls_sessions of a later run.
    // It holds secrets: keep it where only its owner can read it.
    std::string tls_sessions() const;

    const ClientOptions& options() const;
    AddressPolicy& addresses();

private:
    std::unique_ptr<ClientParts> parts_;
};

}  // namespace weft::http
