#include "http/connect/dial.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/net/connect.h"
#include "aio/net/network.h"
#include "aio/task/errors.h"
#include "base/escape.h"
#include "http/connect/socks.h"
#include "http/connect/special_address.h"
#include "http/connect/tunnel.h"
#include "web/host/host.h"

namespace weft::http {

using aio::Co;

namespace {

[[noreturn]] void fail_connect(const aio::IoError& error, std::string_view whom,
                               const FetchClock& clock) {
    const std::error_code code = error.code();
    if (code == std::errc::connection_refused) {
        clock.fail(Failure::connect_refused, fmt::format("connect refused by {}", whom));
    }
    if (code == std::errc::host_unreachable || code == std::errc::network_unreachable) {
        clock.fail(Failure::connect_unreachable, fmt::format("connect: no way to {}", whom));
    }
    // Our own resources ran out; that says nothing about the host.
    const bool is_ours =
        code == std::errc::too_many_files_open ||
        code == std::errc::too_many_files_open_in_system || code == std::errc::no_buffer_space ||
        code == std::errc::not_enough_memory || code == std::errc::address_not_available;
    clock.fail(is_ours ? Failure::no_resources : Failure::connect_failed,
               fmt::format("connect: {}", error.what()));
}

Failure failure_of(aio::TlsFailure failure) {
    switch (failure) {
        case aio::TlsFailure::not_tls: return Failure::tls_not_tls;
        case aio::TlsFailure::closed:
        case aio::TlsFailure::protocol: return Failure::tls_failed;
        default: return Failure::tls_certificate;
    }
}

// "192.0.2.1:80 and 3 more".
std::string list_of(const std::vector<aio::Endpoint>& endpoints) {
    const std::string first = endpoints.front().to_string();
    if (endpoints.size() == 1) return first;
    return fmt::format("{} and {} more", first, endpoints.size() - 1);
}

// Says what is denied, why, and how to allow it.
std::string describe(const aio::Endpoint& endpoint, const AddressPolicy::Denial& denied) {
    if (denied.network.empty()) {
        return fmt::format("leads to {}, which is {}: denied", endpoint.to_string(), denied.range);
    }
    const aio::IpAddress judged = carried_v4(endpoint.address).value_or(endpoint.address);
    return fmt::format("leads to {}, which is {} ({}): denied; to allow it: --allow-net {}",
                       endpoint.address.to_string(), denied.range, denied.network,
                       judged.to_string());
}

// aio::connect_to_any(), with its errors turned into FetchErrors.
Co<aio::Stream> race(std::vector<aio::Endpoint> endpoints, aio::ConnectOptions options,
                     const FetchClock& clock) {
    const std::string whom = list_of(endpoints);
    try {
        co_return co_await aio::connect_to_any(std::move(endpoints), options);
    } catch (const aio::IoError& error) {
        fail_connect(error, whom, clock);
    } catch (const aio::TimeoutError& error) {
        clock.fail(Failure::connect_timeout, fmt::format("connect: {}", error.what()));
    }
}

}  // namespace

Dialer::Dialer(const ClientOptions& options, Pool& pool) : options_(options), pool_(pool) {}

Dialer::~Dialer() = default;

Co<aio::Stream> Dialer::dial(const Destination& destination, Pool::Room& room, FetchClock& clock,
                             Timings& timings) {
    const web::Url& url = destination.url;
    check_port(url, clock);
    const HostPort target = HostPort::of(url);
    // `first` is the machine that we connect to: the proxy, or the host itself.
    const HostPort first =
        destination.proxy ? HostPort{destination.proxy->host, destination.proxy->port} : target;
    std::vector<aio::IpAddress> addresses = co_await look_up(first, options_, clock);
    timings.dns = clock.elapsed();

    clock.enter(Phase::connect);
    std::vector<aio::Endpoint> endpoints;
    if (destination.proxy) {
        // The operator named the proxy, so the policy does not judge its address.
        for (const aio::IpAddress& address : addresses) endpoints.push_back({address, first.port});
    } else {
        endpoints = allowed(addresses, url, clock);
    }
    // The limit per address protects servers. A proxy's address says nothing about the server, so
    // connections to a proxy are not counted by address.
    aio::Stream stream =
        co_await connect(std::move(endpoints), destination.proxy ? nullptr : &room, clock);
    timings.connect = clock.elapsed();

    if (destination.proxy) {
        clock.enter(Phase::proxy);
        co_await lead_on(stream, destination, clock);
        timings.proxy = clock.elapsed();
    }
    if (url.scheme() == "https") {
        clock.enter(Phase::tls);
        aio::TlsClientSession session{.resumption_key = std::string(destination.key)};
        if (destination.offers_http2) session.alpn.emplace_back("h2");
        if (destination.offers_http1) session.alpn.emplace_back("http/1.1");
        co_await secure(stream, target, std::move(session), clock);
        timings.tls = clock.elapsed();
    }
    co_return stream;
}

std::vector<aio::Endpoint> Dialer::allowed(const std::vector<aio::IpAddress>& addresses,
                                           const web::Url& url, const FetchClock& clock) const {
    std::vector<aio::Endpoint> endpoints;
    std::string denial;
    for (const aio::IpAddress& address : addresses) {
        const aio::Endpoint endpoint{address, *url.effective_port()};
        if (const auto denied = options_.addresses.denies(endpoint, url)) {
            denial = describe(endpoint, *denied);
        } else {
            endpoints.push_back(endpoint);
        }
    }
    // A host with both allowed and denied addresses is reached by the allowed ones.
    if (endpoints.empty()) clock.fail(Failure::address_denied, denial);
    return endpoints;
}

void Dialer::check_name(const web::Url& url, const FetchClock& clock) const {
    const std::string host(web::without_brackets(url.hostname()));
    std::optional<aio::IpAddress> literal = aio::IpAddress::parse(host);
    std::string_view name = host;
    // RFC 6761, 6.3: localhost and all names below it are loopback, also for the proxy.
    if (name.ends_with('.')) name.remove_suffix(1);
    if (name == "localhost" || name.ends_with(".localhost")) literal = aio::IpAddress::loopback();
    if (literal) allowed({*literal}, url, clock);
}

void Dialer::check_port(const web::Url& url, const FetchClock& clock) const {
    if (!options_.addresses.denies_port(url)) return;
    clock.fail(Failure::address_denied,
               fmt::format("port {} is of another service than the web: denied, as nobody typed it",
                           *url.effective_port()));
}

// The addresses race each other. The permit per address is taken for the first address, or for one
// that has a free permit, and then moved to the address that won.
Co<aio::Stream> Dialer::connect(std::vector<aio::Endpoint> endpoints, Pool::Room* room,
                                FetchClock& clock) const {
    const Duration limit = options_.limits.total_timeout;
    const auto roomy = std::ranges::find_if(endpoints, [&](const aio::Endpoint& endpoint) {
        return !pool_.is_crowded(endpoint.address);
    });
    if (roomy != endpoints.end()) std::rotate(endpoints.begin(), roomy, roomy + 1);
    if (room) {
        co_await clock.wait(pool_.reach(*room, endpoints.front().address), limit,
                            Failure::total_timeout);
    }
    const aio::ConnectOptions how{.attempt_timeout = options_.limits.connect_timeout,
                                  .local = options_.bind_address};
    aio::Stream stream =
        co_await clock.wait(race(std::move(endpoints), how, clock), limit, Failure::total_timeout);
    if (room) {
        co_await clock.wait(pool_.reach(*room, stream.peer().address), limit,
                            Failure::total_timeout);
    }
    co_return stream;
}

Co<> Dialer::lead_on(aio::Stream& stream, const Destination& destination, FetchClock& clock) {
    const Proxy& proxy = *destination.proxy;
    const web::Url& url = destination.url;
    HostPort target{std::string(web::without_brackets(url.hostname())), *url.effective_port()};
    // The proxy's own TLS comes first; that of the host then runs inside the tunnel.
    if (proxy.kind == ProxyKind::https) {
        co_await secure(stream, {proxy.host, proxy.port}, {.alpn = {"http/1.1"}}, clock);
    }
    const Duration limit = options_.limits.proxy_timeout;
    try {
        if (proxy.is_socks()) {
            SocksTarget led{.host = target.host, .address = {}, .port = target.port};
            if (!proxy.resolves()) {
                const std::vector<aio::IpAddress> addresses =
                    co_await look_up(target, options_, clock);
                // With socks5 we look the name up ourselves, so the policy judges the address as
                // usual.
                led.address = allowed(addresses, url, clock).front().address;
                // look_up() changed the phase.
                clock.enter(Phase::proxy);
            } else {
                led.address = aio::IpAddress::parse(target.host);
            }
            co_await clock.wait(socks_connect(stream, proxy, std::move(led)), limit,
                                Failure::proxy_timeout);
        } else if (url.scheme() == "https") {
            // Plain http needs no tunnel: the request itself goes to the proxy, in absolute form.
            const std::string authority = fmt::format("{}:{}", url.hostname(), target.port);
            co_await clock.wait(tunnel(stream, proxy, authority, options_.user_agent), limit,
                                Failure::proxy_timeout);
        }
    } catch (const ProxyRefusal& refusal) {
        clock.fail(refusal.wants_credentials() ? Failure::proxy_auth : Failure::proxy_failed,
                   fmt::format("proxy {}: {}", proxy.to_string(), refusal.what()));
    } catch (const aio::IncompleteReadError&) {
        clock.fail(Failure::proxy_failed,
                   fmt::format("proxy {}: it closed the connection", proxy.to_string()));
    } catch (const aio::IoError& error) {
        clock.fail(Failure::proxy_failed,
                   fmt::format("proxy {}: {}", proxy.to_string(), error.what()));
    }
}

std::shared_ptr<aio::TlsContext> Dialer::context_for(const HostPort& place) {
    const auto& own = options_.certificate;
    // The certificate has a context of its own, so that it is never shown to another origin.
    const bool shows_certificate = own && own->origin.scheme == "https" &&
                                   web::without_brackets(own->origin.host) == place.host &&
                                   own->origin.port == place.port;
    std::shared_ptr<aio::TlsContext>& context = shows_certificate ? tls_with_cert_ : tls_;
    if (!context) {
        aio::TlsContext::ClientOptions tls_options;
        tls_options.ca_file = options_.ca_file;
        tls_options.verify = options_.verify_certificates;
        if (shows_certificate) {
            tls_options.certificate_file = own->certificate_file;
            tls_options.key_file = own->key_file;
        }
        context = aio::TlsContext::client(tls_options);
        context->import_sessions(options_.tls_sessions);
    }
    return context;
}

std::string Dialer::tls_sessions() const {
    // No TLS in this run: the sessions of the run before are still good.
    if (!tls_ && !tls_with_cert_) return options_.tls_sessions;
    std::string text;
    for (const auto& context : {tls_, tls_with_cert_}) {
        if (context) text += context->export_sessions();
    }
    return text;
}

Co<> Dialer::secure(aio::Stream& stream, const HostPort& place, aio::TlsClientSession session,
                    FetchClock& clock) {
    session.host = place.host;
    const std::vector<std::string> offered = session.alpn;
    try {
        co_await clock.wait(stream.start_tls(context_for(place), std::move(session)),
                            options_.limits.tls_timeout, Failure::tls_timeout);
    } catch (const aio::TlsError& error) {
        clock.fail(failure_of(error.failure()), fmt::format("tls: {}", error.reason()));
    } catch (const aio::IoError& error) {
        clock.fail(Failure::tls_failed, fmt::format("tls: {}", error.what()));
    }
    const std::string_view chosen = static_cast<aio::TlsTransport&>(stream.transport()).alpn();
    // RFC 7301, 3.2: the server must choose one of the offered protocols, or none.
    if (!chosen.empty() && std::ranges::find(offered, chosen) == offered.end()) {
        clock.fail(Failure::tls_failed,
                   fmt::format("tls: the server chose '{}' unasked", escape_for_terminal(chosen)));
    }
}

bool has_agreed_on_http2(aio::Stream& stream) {
    const auto* tls = dynamic_cast<const aio::TlsTransport*>(&stream.transport());
    return tls && tls->alpn() == "h2";
}

}  // namespace weft::http
