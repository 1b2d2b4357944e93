#pragma once

#include <optional>
#include <span>
#include <string_view>

#include "aio/net/endpoint.h"

namespace weft::http {

// A range of addresses outside the public internet, and its use ("loopback").
struct SpecialRange {
    std::string_view network;
    std::string_view name;
};

// All ranges: those of IANA's registries (IPv4 and IPv6 special-purpose addresses) that are not
// globally reachable, multicast, the part of IPv6 that is not assigned, and the anycast addresses
// of 192.0.0.0/24 and 2001::/23, which lead to the nearest router.
std::span<const SpecialRange> special_ranges();

// The range that contains the address; null for an address of the public internet. An IPv6 address
// that carries an IPv4 address (mapped, translated, NAT64, 6to4, Teredo) is judged as that IPv4
// address.
const SpecialRange* special_range(const aio::IpAddress& address);

// The IPv4 address that this IPv6 address carries, if any: packets are delivered to it.
std::optional<aio::IpAddress> carried_v4(const aio::IpAddress& address);

}  // namespace weft::http
