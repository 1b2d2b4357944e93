#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "aio/net/endpoint.h"
#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "bench/process.h"

// As little HTTP as a keep-alive GET needs, so that the runtime is measured and not a parser.
namespace weft::bench {

// A request for `path`.
std::string get_request(std::string_view path);

// Sends the request and reads past its answer, which has a Content-Length; the body's bytes.
aio::Co<std::size_t> get(aio::Stream& stream, std::string_view request);

struct Load {
    aio::Endpoint endpoint;
    std::string path = "/";
    std::size_t connections = 64;
    std::size_t requests = 64'000;  // On all of them together.
};

// Opens the connections, shares the requests out among them and returns when all are answered.
aio::Co<> run_load(Load load);

// A server of ours in another process, on the server's core. Answers any GET with `body_bytes`.
class Responder {
public:
    explicit Responder(std::size_t body_bytes);

    aio::Endpoint endpoint() const { return endpoint_; }

private:
    Child child_;
    aio::Endpoint endpoint_;
};

// nginx with one worker on the server's core, serving the files /1k and /32k from memory.
class Nginx {
public:
    // REQUIRES: is_installed()
    Nginx();
    ~Nginx();

    static bool is_installed();
    aio::Endpoint endpoint() const { return endpoint_; }
    std::string url(std::string_view path) const;

private:
    aio::Endpoint endpoint_;
    std::string folder_;
    Child child_;
};

}  // namespace weft::bench
