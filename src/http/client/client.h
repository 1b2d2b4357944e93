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

// A response whose content the reader takes piece by piece, at its own speed: while the reader does
// not ask for a piece, nothing is read from the socket and the server has to wait. Destroying it
// before the end closes the connection. A piece is valid until the reader asks for the next one.
// Must not outlive the Client.
struct Download {
    // The head. Sizes and timings are complete only at the end of the body.
    std::shared_ptr<const Response> response;
    aio::AsyncGenerator<std::string_view> body;
};

// Fetches over HTTP, with and without TLS. It keeps connections open for later fetches.
//
//     http::Client client({.user_agent = "example/1.0 (+https://example.com/bot)"});
//
//     http::ContentBuffer page;
//     http::Response response = co_await client.fetch({.url = url}, page);
//
//     http::Download download = co_await client.stream({.url = url});
//     while (auto piece = co_await download.body.next()) hash.update(*piece);
//
// One fetch is one request. Redirects are not followed here; http/client/get.h does that. There are
// two exceptions: a request that meets a kept connection just as the server closes it is sent once
// more on a new connection (H09), and after a 401 the request is sent once more with credentials,
// if the options have some for its origin.
//
// A response of any status is a Response. Everything else is a FetchError: the response was not
// complete, or took too long, or the policy denies the address. Used on one loop's thread; must
// outlive its fetches, and must not outlive the loop.
class Client {
public:
    explicit Client(ClientOptions options = {});
    Client(Client&&) noexcept;
    ~Client();

    // Fetches the whole content into `sink`, which must outlive the call. Throws FetchError. If it
    // is cancelled, the connection is closed and `sink` gets no further calls.
    aio::Co<Response> fetch(Request request, ResponseSink& sink);

    // The same, but reuses the memory of `response`, so that repeated fetches allocate nothing
    // themselves. All arguments must outlive the call.
    aio::Co<> fetch(const Request& request, ResponseSink& sink, Response& response);

    // Returns when the head has arrived. Throws FetchError, as does reading the body.
    aio::Co<Download> stream(Request request);

    // The TLS sessions that can be resumed, as text for ClientOptions::tls_sessions of a later run.
    // It contains secrets: store it where only its owner can read it.
    std::string tls_sessions() const;

    const ClientOptions& options() const;

    // The policy may be changed while fetches run; kept connections are checked against it again.
    AddressPolicy& addresses();

private:
    std::unique_ptr<ClientParts> parts_;
};

}  // namespace weft::http
