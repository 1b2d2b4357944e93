#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "aio/net/endpoint.h"

namespace weft::http {

// A range of addresses in CIDR notation: "10.0.0.0/8", "::1/128". An address without a slash is a
// range of one address. IPv4 and IPv6 ranges never contain each other's addresses.
struct AddressRange {
    aio::IpAddress address;
    unsigned prefix_bits = 0;

    // Bits of the address after the prefix are allowed, and ignored by contains().
    static std::optional<AddressRange> parse(std::string_view text);
    bool contains(const aio::IpAddress& candidate) const;
    std::string to_string() const;
};

}  // namespace weft::http
