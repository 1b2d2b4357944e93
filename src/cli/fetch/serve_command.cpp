#include <array>
#include <cstdio>

#include <fmt/format.h>
#include <unistd.h>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "base/escape.h"
#include "cli/commands.h"
#include "cli/show/exit_status.h"
#include "cli/show/stop_on_signal.h"
#include "http/connect/special_address.h"
#include "http/server/folder_site.h"
#include "http/server/server.h"

namespace weft::cli {

using aio::Co;

namespace {

aio::IpAddress parse_bind(const std::string& text) {
    if (text == "localhost") return aio::IpAddress::loopback();
    const auto address = aio::IpAddress::parse(text);
    if (!address) {
        throw UsageError(fmt::format(
            "--bind '{}': not an address; write it like 127.0.0.1, or 0.0.0.0 for all networks",
            escape_for_terminal(text)));
    }
    return *address;
}

// A log line for each request. Text from the client is last, and escaped.
void print_line(const http::Answered& answered) {
    const http::ServerRequest& request = answered.request;
    fmt::print("{} {} {} {} {:.1f}ms {} {}\n", to_iso8601(aio::EventLoop::running().wall_time()),
               request.peer.address.to_string(), answered.status, answered.body_bytes,
               std::chrono::duration<double, std::milli>(answered.elapsed).count(),
               request.method.empty() ? "-" : escape_for_terminal(request.method),
               escape_for_terminal(request.target));
    std::fflush(stdout);
}

bool is_loopback(const aio::IpAddress& address) {
    const http::SpecialRange* range = http::special_range(address);
    return range && range->name == "loopback";
}

// The names of this machine in the local network: "desk", "desk.local".
void add_own_names(http::HostList& hosts) {
    std::array<char, 256> room{};
    if (::gethostname(room.data(), room.size() - 1) != 0) return;
    const std::string name = room.data();
    if (name.empty()) return;
    hosts.add(name);
    hosts.add(name + ".local");
}

http::ServerOptions make_options(const ServeArguments& arguments, const aio::IpAddress& address) {
    http::ServerOptions options;
    // Requests with another Host header are refused: a web page could otherwise reach this server
    // by a name of its own that resolves to this address (DNS rebinding).
    options.hosts = http::HostList::of(address);
    if (!is_loopback(address)) add_own_names(options.hosts);
    for (const std::string& name : arguments.hosts) options.hosts.add(name);
    if (!arguments.quiet) options.on_answered = print_line;
    if (!arguments.tls_key.empty() && arguments.tls_certificate.empty()) {
        throw UsageError("--tls-key needs --tls-certificate");
    }
    if (!arguments.tls_certificate.empty()) {
        aio::TlsContext::ServerOptions tls;
        tls.certificate_file = arguments.tls_certificate;
        tls.key_file = arguments.tls_key;
        tls.alpn = {"http/1.1"};
        options.tls = aio::TlsContext::server(tls);
    }
    return options;
}

Co<int> serve_until_signal(ServeArguments arguments) {
    const aio::IpAddress address = parse_bind(arguments.bind);
    const http::FolderSite site(arguments.folder);
    http::HttpServer server(site.handler(), make_options(arguments, address));
    auto listener = aio::EventLoop::running().network().listen({address, arguments.port});
    fmt::print("Serving {} at {}://{}/\nCtrl-C ends it.\n", escape_for_terminal(arguments.folder),
               arguments.tls_certificate.empty() ? "http" : "https", listener->local().to_string());
    std::fflush(stdout);
    // Responses that have begun may finish.
    const StopOnSignal signals([&] { server.stop(); });
    co_await server.serve(std::move(listener));
    co_return exit_done;
}

constexpr OptionSpec<ServeArguments> kServe[] = {
    {"folder", "DIR", "what to serve", [](auto& serve) { return text(serve.folder); }},
    {"-p,--port", "N", "port to listen on; 0 takes a free one",
     [](auto& serve) { return number(serve.port); }},
    {"--bind", "ADDR", "address to listen on; 0.0.0.0 is every network",
     [](auto& serve) { return text(serve.bind); }},
    {"--host", "NAME", "a name to answer to besides localhost and this machine's own; * is any",
     [](auto& serve) { return texts(serve.hosts); }},
    {"--tls-certificate", "FILE", "serve https with this certificate chain",
     [](auto& serve) { return text(serve.tls_certificate); }},
    {"--tls-key", "FILE", "key of the certificate (default: in the same file)",
     [](auto& serve) { return text(serve.tls_key); }},
    {"-q,--quiet", "", "no line for each request", [](auto& serve) { return flag(serve.quiet); }},
};

}  // namespace

void add_serve(CLI::App& app, ServeArguments& arguments) {
    CLI::App* serve = app.add_subcommand("serve", "Serve a folder over HTTP");
    add_options(*serve, "Options", kServe, arguments);
    serve->footer("Example: weft serve --port 8000 ./public");
}

int run_serve(const ServeArguments& arguments) {
    return aio::run(serve_until_signal(arguments));
}

}  // namespace weft::cli
