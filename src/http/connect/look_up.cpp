#include "http/connect/look_up.h"

#include <algorithm>
#include <optional>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/net/network.h"
#include "aio/task/errors.h"
#include "base/escape.h"
#include "web/host/host.h"

namespace weft::http {

using aio::Co;

namespace {

// A socket that is bound to an address can connect only to the same family.
AddressFamily family_of(const ClientOptions& options) {
    if (!options.bind_address) return options.family;
    return options.bind_address->is_v4() ? AddressFamily::v4 : AddressFamily::v6;
}

// The addresses that need no name server; nothing if name servers have to be asked.
std::optional<std::vector<aio::IpAddress>> known_addresses(const HostPort& place,
                                                           const ClientOptions& options) {
    const auto fixed = std::ranges::find_if(options.fixed_addresses, [&](const auto& row) {
        return (row.host == place.host || row.host == "*") && row.port == place.port;
    });
    if (fixed != options.fixed_addresses.end()) return fixed->addresses;
    if (const auto literal = aio::IpAddress::parse(place.host)) return std::vector{*literal};
    return std::nullopt;
}

Co<std::vector<aio::IpAddress>> ask_name_servers(const std::string& host,
                                                 const ClientOptions& options, FetchClock& clock) {
    try {
        aio::Resolver& resolver = aio::EventLoop::running().network().resolver();
        aio::Resolution found = co_await clock.wait(
            resolver.resolve(host), options.limits.dns_timeout, Failure::dns_timeout);
        co_return std::move(found.addresses);
    } catch (const aio::ResolveError& error) {
        // A temporary error is worth a retry; a name that does not exist is not.
        clock.fail(error.is_temporary() ? Failure::dns_failed : Failure::no_such_host,
                   fmt::format("dns: {}", error.what()));
    }
}

}  // namespace

HostPort HostPort::of(const web::Url& url) {
    return {std::string(web::without_brackets(url.hostname())), *url.effective_port()};
}

Co<std::vector<aio::IpAddress>> look_up(HostPort place, const ClientOptions& options,
                                        FetchClock& clock) {
    clock.enter(Phase::dns);
    std::vector<aio::IpAddress> addresses;
    if (auto known = known_addresses(place, options)) {
        addresses = std::move(*known);
    } else {
        addresses = co_await ask_name_servers(place.host, options, clock);
    }
    const AddressFamily family = family_of(options);
    if (family == AddressFamily::any) co_return addresses;
    const bool wants_v4 = family == AddressFamily::v4;
    // Fixed and literal addresses are filtered too.
    std::erase_if(addresses, [&](const auto& address) { return address.is_v4() != wants_v4; });
    if (addresses.empty()) {
        clock.fail(Failure::no_such_host,
                   fmt::format("dns: {} has no IPv{} address", escape_for_terminal(place.host),
                               wants_v4 ? 4 : 6));
    }
    co_return addresses;
}

bool asks_name_servers(const HostPort& place, const ClientOptions& options) {
    return !known_addresses(place, options);
}

}  // namespace weft::http
