#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "aio/net/endpoint.h"

namespace weft::http {

// A range of addresses: "10.0.0.0/8", "::1/128". One address without a slash is a range of one.
struct Network {
    aio::IpAddress address;
    unsigned prefix_bits = 0;

    static std::optional<Network> parse(std::string_view text);
    bool contains(const aio::IpAddress& candidate) const;
    std::string to_string() const;
};

}  // namespace weft::http
