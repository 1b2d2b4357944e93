#include "http/client.h"

#include <vector>

#include <fmt/format.h>

#include "aio/connect.h"
#include "aio/errors.h"
#include "aio/loop.h"
#include "aio/network.h"
#include "aio/timeout.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "http/blocked_port.h"

namespace weft::http {

using aio::Co;

namespace {

std::string pool_key(const web::Url& url) {
    return fmt::format("{}://{}:{}", url.scheme(), url.hostname(), *url.effective_port());
}

// Without the brackets of an IPv6 literal.
std::string bare_host(const web::Url& url) {
    std::string_view host = url.hostname();
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    return std::string(host);
}

// Sent twice it does what it does once (RFC 9110, 9.2.2).
bool is_idempotent(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "PUT" || method == "DELETE" ||
           method == "OPTIONS" || method == "TRACE";
}

Failure failure_of(std::error_code code) {
    if (code == std::errc::connection_refused) return Failure::connect_refused;
    if (code == std::errc::host_unreachable || code == std::errc::network_unreachable) {
        return Failure::connect_unreachable;
    }
    if (code == std::errc::too_many_files_open ||
        code == std::errc::too_many_files_open_in_system || code == std::errc::no_buffer_space ||
        code == std::errc::not_enough_memory) {
        return Failure::no_resources;
    }
    return Failure::connect_failed;
}

Failure failure_of(aio::TlsFailure failure) {
    switch (failure) {
        case aio::TlsFailure::not_tls: return Failure::tls_not_tls;
        case aio::TlsFailure::closed:
        case aio::TlsFailure::protocol: return Failure::tls_failed;
        default: return Failure::tls_certificate;
    }
}

Co<std::vector<aio::IpAddress>> resolve(std::string host, Duration limit) {
    if (const auto literal = aio::IpAddress::parse(host)) {
        co_return std::vector<aio::IpAddress>{*literal};
    }
    try {
        aio::Resolver& resolver = aio::EventLoop::running().network().resolver();
        aio::Resolution found = co_await aio::wait_for(resolver.resolve(host), limit);
        co_return std::move(found.addresses);
    } catch (const aio::ResolveError& error) {
        throw FetchError(error.is_temporary() ? Failure::dns_failed : Failure::no_such_host,
                         error.what());
    } catch (const aio::TimeoutError&) {
        throw FetchError(Failure::dns_timeout, fmt::format("no answer from the name servers for {}",
                                                           escape_for_terminal(host)));
    }
}

}  // namespace

Client::Client(ClientOptions options)
    : options_(std::move(options)), pool_(options_.idle_connections_max) {}

Headers Client::complete(const Request& request) const {
    Headers headers;
    headers.add("Host", request.url.host());
    const auto add_default = [&](std::string_view name, std::string_view value) {
        if (!request.headers.contains(name)) headers.add(name, value);
    };
    add_default("User-Agent", options_.user_agent);
    add_default("Accept", "*/*");
    add_default("Accept-Encoding", "gzip, br, zstd");
    for (const Field field : request.headers) headers.add(field.name, field.value);
    if (!request.body.empty())
        headers.add("Content-Length", fmt::format("{}", request.body.size()));
    return headers;
}

Co<Response> Client::fetch(Request request, ResponseSink& sink) {
    if (!request.url.is_http()) {
        throw FetchError(Failure::bad_request,
                         fmt::format("cannot fetch {}: only http and https are spoken",
                                     escape_for_terminal(request.url.href())));
    }
    if (is_blocked_port(*request.url.effective_port())) {
        throw FetchError(Failure::address_denied,
                         fmt::format("{}: this port is not the web's: denied", request.url.host()));
    }
    try {
        co_return co_await aio::wait_for(fetch_once(request, sink), options_.limits.total_timeout);
    } catch (const aio::TimeoutError&) {
        throw FetchError(Failure::total_timeout,
                         fmt::format("{} took longer than {}", request.url.host(),
                                     human_duration(options_.limits.total_timeout)));
    }
}

Co<Response> Client::fetch_once(const Request& request, ResponseSink& sink) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint start = loop.time();
    const Headers headers = complete(request);
    if (auto kept = pool_.take(pool_key(request.url), start)) {
        sink.on_start();
        try {
            Response response =
                co_await kept->exchange(request, headers, options_.limits, sink, start);
            response.reused_connection = true;
            pool_.give(std::move(kept), loop.time());
            co_return response;
        } catch (const FetchError& error) {
            const bool met_a_close =
                error.failure() == Failure::reset || error.failure() == Failure::closed_early;
            const bool may_repeat = !kept->has_received() && is_idempotent(request.method);
            if (!may_repeat || !met_a_close) throw;
        }
    }
    sink.on_start();
    Timings timings;
    std::unique_ptr<Connection> fresh = co_await connect(request.url, timings, start);
    Response response = co_await fresh->exchange(request, headers, options_.limits, sink, start);
    response.timings.dns = timings.dns;
    response.timings.connect = timings.connect;
    response.timings.tls = timings.tls;
    pool_.give(std::move(fresh), loop.time());
    co_return response;
}

Co<std::unique_ptr<Connection>> Client::connect(const web::Url& url, Timings& timings,
                                                TimePoint start) {
    aio::Stream stream = co_await connect_to_any(url, timings, start);
    if (url.scheme() == "https") {
        stream = co_await secure(std::move(stream), url);
        timings.tls = aio::EventLoop::running().time() - start;
    }
    co_return std::make_unique<Connection>(std::move(stream), pool_key(url));
}

// The addresses that the policy allows race each other; see aio::connect_to_any().
Co<aio::Stream> Client::connect_to_any(const web::Url& url, Timings& timings, TimePoint start) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const std::vector<aio::IpAddress> addresses =
        co_await resolve(bare_host(url), options_.limits.dns_timeout);
    timings.dns = loop.time() - start;
    std::vector<aio::Endpoint> endpoints;
    std::string denial;
    for (const aio::IpAddress& address : addresses) {
        const aio::Endpoint endpoint{address, *url.effective_port()};
        if (const auto range = options_.addresses.denies(endpoint)) {
            denial = fmt::format("{} leads to {}, a {} address: denied (see --allow-net)",
                                 url.hostname(), address.to_string(), *range);
        } else {
            endpoints.push_back(endpoint);
        }
    }
    if (endpoints.empty()) throw FetchError(Failure::address_denied, denial);
    try {
        aio::Stream stream = co_await aio::connect_to_any(
            std::move(endpoints), {.attempt_timeout = options_.limits.connect_timeout});
        timings.connect = loop.time() - start;
        co_return stream;
    } catch (const aio::IoError& error) {
        throw FetchError(failure_of(error.code()), error.what());
    } catch (const aio::TimeoutError& error) {
        throw FetchError(Failure::connect_timeout, error.what());
    }
}

Co<aio::Stream> Client::secure(aio::Stream stream, const web::Url& url) {
    if (!tls_) {
        aio::TlsContext::ClientOptions tls_options;
        tls_options.ca_file = options_.ca_file;
        tls_options.verify = options_.verify_certificates;
        tls_ = aio::TlsContext::client(tls_options);
    }
    try {
        aio::TlsClientSession session{
            .host = bare_host(url), .alpn = {"http/1.1"}, .resumption_key = pool_key(url)};
        std::unique_ptr<aio::TlsTransport> transport =
            co_await aio::wait_for(aio::tls_connect(stream.detach(), tls_, std::move(session)),
                                   options_.limits.tls_timeout);
        co_return aio::Stream(std::move(transport));
    } catch (const aio::TlsError& error) {
        throw FetchError(failure_of(error.failure()), error.what());
    } catch (const aio::IoError& error) {
        throw FetchError(Failure::tls_failed, error.what());
    } catch (const aio::TimeoutError&) {
        throw FetchError(Failure::tls_timeout,
                         fmt::format("{} did not finish the TLS handshake", url.host()));
    }
}

Co<Page> get(Client& client, web::Url url) {
    for (int hop = 0; hop <= limits::kRedirectCountMax; ++hop) {
        ContentBuffer buffer;
        Response response = co_await client.fetch({.url = url}, buffer);
        const std::optional<std::string_view> location = response.headers.get("Location");
        if (!response.is_redirect() || !location || trim(*location).empty()) {
            co_return Page{std::move(response), std::move(buffer.content), std::move(url)};
        }
        if (response.headers.disagrees("Location")) {
            throw FetchError(Failure::bad_response,
                             fmt::format("{} redirects to two places at once", url.host()));
        }
        auto next = url.resolve(*location, web::kBoundedUrl);
        if (!next) {
            throw FetchError(Failure::bad_response,
                             fmt::format("{} redirects to '{}': {}", url.host(),
                                         escape_for_terminal(utf8_prefix(*location, 200)),
                                         describe(next.error())));
        }
        url = *std::move(next);
    }
    throw FetchError(Failure::bad_response,
                     fmt::format("more than {} redirects", limits::kRedirectCountMax));
}

}  // namespace weft::http
