#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aio/co.h"
#include "aio/co_function.h"
#include "aio/network.h"
#include "aio/stream.h"
#include "aio/tls.h"
#include "base/units.h"
#include "http/headers.h"

namespace weft::http {

// A request as the server read it.
struct ServerRequest {
    std::string method;
    std::string target;  // As on the request line: "/path?query".
    Headers headers;
    std::string body;
    aio::Endpoint peer;
    aio::Endpoint local;
};

struct Reply {
    int status = 200;
    std::vector<std::pair<std::string, std::string>> headers = {};
    std::string body = {};
};

// How a handler answers: with reply(), or by hand on the bare stream.
class Responder {
public:
    Responder(aio::Stream& stream, bool is_head, bool keep_alive)
        : stream_(stream), is_head_(is_head), keep_alive_(keep_alive) {}

    // Sends the answer with its Content-Length (a HEAD without its body).
    aio::Co<> reply(Reply reply);

    // For answers that reply() does not make. The connection is closed after.
    aio::Stream& stream() {
        keep_alive_ = false;
        return stream_;
    }

    bool keeps_alive() const { return keep_alive_; }

private:
    aio::Stream& stream_;
    bool is_head_;
    bool keep_alive_;
};

using Handler = aio::CoFunction<aio::Co<>(const ServerRequest&, Responder&)>;

struct ServerOptions {
    std::shared_ptr<aio::TlsContext> tls;  // Null: plain HTTP.
    Duration idle_timeout = 60s;           // Between two requests.
    Duration request_timeout = 20s;        // For the whole of a request.
    std::size_t body_bytes_max = 1_MiB;
    std::size_t connections_max = 10'000;
};

// Serves the connections of a listener until cancelled: HTTP/1.1 with keep-alive. A handler that
// throws is answered with 500 and logged; it never ends the server.
aio::Co<> serve(std::unique_ptr<aio::Listener> listener, Handler handler,
                ServerOptions options = {});

// "Not Found"; empty for a status without a common name.
std::string_view reason_of(int status);

}  // namespace weft::http
