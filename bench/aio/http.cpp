#include "bench/aio/http.h"

#include <charconv>
#include <filesystem>
#include <fstream>
#include <thread>

#include <fmt/format.h>
#include <stdlib.h>
#include <unistd.h>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/net/network.h"
#include "aio/net/server.h"
#include "aio/task/errors.h"
#include "aio/task/gather.h"
#include "base/assert.h"

namespace weft::bench {
namespace {

using aio::Co;
using aio::Endpoint;
using aio::IpAddress;
using aio::Stream;

constexpr std::string_view kHeadEnd = "\r\n\r\n";
constexpr std::string_view kLength = "Content-Length: ";

std::size_t content_length(std::string_view head) {
    const std::size_t found = head.find(kLength);
    WEFT_ASSERT(found != std::string_view::npos);
    const std::string_view digits = head.substr(found + kLength.size());
    std::size_t length = 0;
    std::from_chars(digits.data(), digits.data() + digits.size(), length);
    return length;
}

// Waits until `text` is in the buffer; where it ends, or 0 at the end of the stream.
Co<std::size_t> fill_until(Stream& stream, std::string_view text) {
    for (;;) {
        const std::size_t found = stream.buffered().find(text);
        if (found != std::string_view::npos) co_return found + text.size();
        const bool more = co_await stream.fill();
        if (!more) co_return 0;
    }
}

Co<> get_many(Endpoint endpoint, std::string request, std::size_t count) {
    Stream stream = co_await aio::connect(endpoint);
    for (; count > 0; --count) co_await get(stream, request);
}

Co<> answer_all(Stream stream, const std::string& answer) {
    for (;;) {
        const std::size_t end = co_await fill_until(stream, kHeadEnd);
        if (end == 0) co_return;
        stream.consume(end);
        co_await stream.write(answer);
    }
}

Co<> serve(std::size_t body_bytes) {
    const std::string answer = fmt::format("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n{}",
                                           body_bytes, std::string(body_bytes, 'x'));
    aio::Server server = aio::start_server(
        [&answer](Stream stream) -> Co<> { co_await answer_all(std::move(stream), answer); },
        {IpAddress::loopback(), 0}, {.connections_max = 100'000});
    fmt::print("{}\n", server.local().port);
    std::fflush(stdout);
    co_await server.serve_forever();
}

// One that is free now; nginx takes no port 0.
std::uint16_t free_port() {
    return aio::run([]() -> Co<std::uint16_t> {
        const auto listener = aio::get_running_loop().network().listen({IpAddress::loopback(), 0});
        co_return listener->local().port;
    }());
}

constexpr std::string_view kNginxConfiguration = R"(
daemon off;
master_process off;
pid {0}/pid;
error_log stderr crit;
events {{ worker_connections 8192; }}
http {{
    access_log off;
    sendfile on;
    keepalive_requests 1000000000;
    keepalive_timeout 600s;
    open_file_cache max=100 inactive=600s;
    open_file_cache_valid 600s;
    client_body_temp_path {0}/body; proxy_temp_path {0}/proxy; fastcgi_temp_path {0}/fastcgi;
    uwsgi_temp_path {0}/uwsgi; scgi_temp_path {0}/scgi;
    server {{ listen 127.0.0.1:{1} backlog=4096; root {0}; }}
}}
)";

std::string make_nginx_folder(std::uint16_t port) {
    std::string folder = (std::filesystem::temp_directory_path() / "weft-nginx-XXXXXX").string();
    WEFT_ASSERT(::mkdtemp(folder.data()));
    std::ofstream(folder + "/nginx.conf") << fmt::format(kNginxConfiguration, folder, port);
    std::ofstream(folder + "/1k") << std::string(1024, 'x');
    std::ofstream(folder + "/32k") << std::string(32 * 1024, 'x');
    return folder;
}

Co<bool> answers(Endpoint endpoint) {
    try {
        co_await get_many(endpoint, get_request("/1k"), 1);
        co_return true;
    } catch (const aio::IoError&) {
        co_return false;
    }
}

}  // namespace

std::string get_request(std::string_view path) {
    return fmt::format("GET {} HTTP/1.1\r\nHost: localhost\r\n\r\n", path);
}

Co<std::size_t> get(Stream& stream, std::string_view request) {
    co_await stream.write(request);
    const std::size_t head = co_await fill_until(stream, kHeadEnd);
    if (head == 0) throw aio::IncompleteReadError(std::string(stream.buffered()), 0);
    const std::size_t length = content_length(stream.buffered().substr(0, head));
    stream.consume(head);
    for (std::size_t rest = length; rest > 0;) {
        const std::size_t count = std::min(rest, stream.buffered().size());
        stream.consume(count);
        rest -= count;
        if (rest == 0) break;
        const bool more = co_await stream.fill();
        if (!more) throw aio::IncompleteReadError({}, rest);
    }
    co_return length;
}

Co<> run_load(Load load) {
    std::vector<Co<>> connections;
    for (std::size_t i = 0; i < load.connections; ++i) {
        const std::size_t count = load.requests / load.connections;
        connections.push_back(get_many(load.endpoint, get_request(load.path), count));
    }
    co_await aio::gather(std::move(connections));
}

Responder::Responder(std::size_t body_bytes)
    : child_([body_bytes] {
          raise_descriptor_limit();
          pin_to_core(kServerCore);
          aio::run(serve(body_bytes));
      }) {
    const double port = number_at(child_.read_line());
    endpoint_ = {IpAddress::loopback(), static_cast<std::uint16_t>(port)};
}

bool Nginx::is_installed() {
    return !find_program("nginx").empty();
}

Nginx::Nginx()
    : endpoint_{IpAddress::loopback(), free_port()},
      folder_(make_nginx_folder(endpoint_.port)),
      child_([this] {
          raise_descriptor_limit();
          pin_to_core(kServerCore);
          const std::string path = find_program("nginx");
          const std::string configuration = folder_ + "/nginx.conf";
          ::execl(path.c_str(), "nginx", "-p", folder_.c_str(), "-e", "stderr", "-c",
                  configuration.c_str(), nullptr);
          ::_exit(127);
      }) {
    for (int attempt = 0; !aio::run(answers(endpoint_)); ++attempt) {
        if (attempt == 100) throw Error("nginx does not answer");
        std::this_thread::sleep_for(50ms);
    }
}

Nginx::~Nginx() {
    std::filesystem::remove_all(folder_);
}

std::string Nginx::url(std::string_view path) const {
    return fmt::format("http://127.0.0.1:{}{}", endpoint_.port, path);
}

}  // namespace weft::bench
