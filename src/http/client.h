#pragma once

#include <filesystem>
#include <memory>
#include <string>

#include "aio/co.h"
#include "aio/tls.h"
#include "http/address_policy.h"
#include "http/failure.h"
#include "http/message.h"
#include "http/pool.h"

namespace weft::http {

struct ClientOptions {
    std::string user_agent = "weft/0.1";
    FetchLimits limits;
    AddressPolicy addresses;
    std::filesystem::path ca_file;
    bool verify_certificates = true;
    std::size_t idle_connections_max = 1'000;
};

// Fetches over HTTP/1.1, with and without TLS, keeping connections for the next fetch.
//
//     http::Client client({.user_agent = "example/1.0 (+https://example.com/bot)"});
//     http::ContentBuffer page;
//     http::Response response = co_await client.fetch({.url = url}, page);
//
// fetch() sends exactly one request: redirects and retries are the caller's policy, but for one: a
// request that meets a kept connection just as the server closes it is sent once more on a new one
// (H09). An answer of any status is a Response; everything else is a FetchError.
//
// On one loop's thread; lives no longer than the loop runs.
class Client {
public:
    explicit Client(ClientOptions options = {});

    // Cancelled, the connection is closed. `sink` lives until the end.
    aio::Co<Response> fetch(Request request, ResponseSink& sink);

    const ClientOptions& options() const { return options_; }
    AddressPolicy& addresses() { return options_.addresses; }

private:
    aio::Co<std::unique_ptr<Connection>> connect(const web::Url& url, Timings& timings,
                                                 TimePoint start);
    aio::Co<aio::Stream> connect_to_any(const web::Url& url, Timings& timings, TimePoint start);
    aio::Co<aio::Stream> secure(aio::Stream stream, const web::Url& url);
    aio::Co<Response> fetch_once(const Request& request, ResponseSink& sink);
    Headers complete(const Request& request) const;

    ClientOptions options_;
    Pool pool_;
    std::shared_ptr<aio::TlsContext> tls_;  // Made with the first https URL.
};

// One page of which only the content is wanted, redirects followed (20 at most).
struct Page {
    Response response;
    std::string content;
    web::Url url;  // Where the redirects led.
};
aio::Co<Page> get(Client& client, web::Url url);

}  // namespace weft::http
