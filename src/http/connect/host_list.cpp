#include "http/connect/host_list.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace weft::http {

namespace {

// The name without brackets, port and final dot, in lower case. Empty if it is not a host with an
// optional port.
std::string normalized(std::string_view host) {
    std::string_view rest;
    if (host.starts_with('[')) {
        const std::size_t end = host.find(']');
        if (end == std::string_view::npos) return {};
        rest = host.substr(end + 1);
        host = host.substr(1, end - 1);
    } else if (std::ranges::count(host, ':') <= 1) {
        // With more colons it is an IPv6 address without brackets, as add() accepts it.
        const std::size_t colon = std::min(host.find(':'), host.size());
        rest = host.substr(colon);
        host = host.substr(0, colon);
        if (host.ends_with('.')) host.remove_suffix(1);
    }
    if (!rest.empty() && (rest.front() != ':' || !std::ranges::all_of(rest.substr(1), is_digit))) {
        return {};
    }
    return to_lower(host);
}

bool is_own_machine(const aio::IpAddress& address) {
    if (address.is_v4()) return address.bytes()[0] == 127;
    return address == aio::IpAddress::parse("::1");
}

}  // namespace

HostList::HostList(std::vector<std::string> names) : allows_all_(false) {
    for (std::string& name : names) add(std::move(name));
}

HostList HostList::of(const aio::IpAddress& address) {
    HostList list({"localhost", "127.0.0.1", "::1", address.to_string()});
    list.allows_literals_ = !is_own_machine(address);
    return list;
}

void HostList::add(std::string name) {
    if (name == "*") allows_all_ = true;
    if (std::string host = normalized(name); !host.empty()) names_.push_back(std::move(host));
}

bool HostList::allows(std::string_view host) const {
    if (allows_all_) return true;
    const std::string name = normalized(host);
    if (allows_literals_ && aio::IpAddress::parse(name)) return true;
    return std::ranges::any_of(names_, [&](const std::string& allowed) {
        return name == allowed || (allowed == "localhost" && name.ends_with(".localhost"));
    });
}

}  // namespace weft::http
