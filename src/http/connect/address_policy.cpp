#include "http/connect/address_policy.h"

#include <algorithm>

#include "aio/net/socket_network.h"
#include "http/connect/blocked_port.h"
#include "http/connect/special_address.h"

namespace weft::http {

using aio::IpAddress;

namespace {

bool is_localhost(const web::Url& url) {
    return url.hostname() == "localhost" || url.hostname() == "localhost.";
}

bool is_unspecified(const IpAddress& address) {
    return std::ranges::all_of(address.bytes(), [](auto byte) { return byte == 0; });
}

bool is_loopback(const IpAddress& address) {
    const SpecialRange* range = special_range(address);
    return range && range->name == "loopback";
}

}  // namespace

std::optional<IpAddress> written_address(const web::Url& url) {
    std::string_view host = url.hostname();
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    return IpAddress::parse(host);
}

void AddressPolicy::open(const web::Url& typed) {
    const std::optional<IpAddress> address = written_address(typed);
    // Public addresses and ordinary ports need no entry: they are allowed anyway.
    const bool opens_address = is_localhost(typed) || (address && special_range(*address));
    if (!opens_address && !is_blocked_port(*typed.effective_port())) return;
    typed_.insert(Origin::of(typed));
    ++revision_;
}

bool AddressPolicy::opens(const IpAddress& address, const web::Url& url) const {
    if (typed_.empty() || !typed_.contains(Origin::of(url))) return false;
    if (is_localhost(url)) {
        // The resolver answers for "localhost", so only these two addresses are believed.
        return address == IpAddress::loopback() || address == IpAddress::parse("::1");
    }
    return written_address(url) == address;
}

bool AddressPolicy::denies_port(const web::Url& url) const {
    const std::uint16_t port = *url.effective_port();
    return is_blocked_port(port) && std::ranges::find(ports_, port) == ports_.end() &&
           !typed_.contains(Origin::of(url));
}

bool AddressPolicy::is_own(const aio::Endpoint& endpoint, const IpAddress& judged) const {
    return std::ranges::any_of(own_, [&](const aio::Endpoint& own) {
        if (own.port != endpoint.port) return false;
        // Such a listener is reached by every address of the machine.
        if (is_unspecified(own.address)) {
            return special_range(judged) || aio::is_own_address(judged);
        }
        return own.address == judged || own.address == endpoint.address ||
               (is_unspecified(judged) && is_loopback(own.address));
    });
}

std::optional<AddressPolicy::Denial> AddressPolicy::denies(const aio::Endpoint& endpoint,
                                                           const web::Url& url) const {
    const std::optional<IpAddress> carried = carried_v4(endpoint.address);
    const IpAddress judged = carried.value_or(endpoint.address);
    // Before everything that allows: a crawl must never reach its own listener (H119).
    if (is_own(endpoint, judged)) return Denial{"weft's own listener", {}};
    const SpecialRange* range = special_range(endpoint.address);
    if (!range) return std::nullopt;
    const auto covers = [&](const AddressRange& network) {
        // An IPv6 range that the user allows does not allow the IPv4 addresses carried in it.
        return network.contains(judged);
    };
    if (std::ranges::any_of(allowed_, covers)) return std::nullopt;
    if (opens(endpoint.address, url)) return std::nullopt;
    return Denial{range->name, range->network};
}

}  // namespace weft::http
