#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "aio/net/endpoint.h"

namespace weft::http {

// Addresses where no public server is: a range and what it is for ("loopback").
struct SpecialRange {
    std::string_view network;
    std::string_view name;
};

// The ranges, by the registries of IANA (IPv4 and IPv6 special-purpose addresses), all that are not
// globally reachable, and besides them multicast, what of IPv6 is given to nobody, and the anycast
// addresses of 192.0.0.0/24 and 2001::/23, which lead to the nearest router.
std::span<const SpecialRange> special_ranges();

// The range that the address is in; none: it is of the public internet. An IPv6 address that
// carries an IPv4 address (mapped, translated, NAT64, 6to4, Teredo) is what the IPv4 address is.
const SpecialRange* special_range(const aio::IpAddress& address);

// The IPv4 address to which a packet for this IPv6 address is brought, if it carries one.
std::optional<aio::IpAddress> carried_v4(const aio::IpAddress& address);

}  // namespace weft::http
