#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aio/endpoint.h"

namespace weft::http {

// A range of addresses: "10.0.0.0/8", "::1/128". One address without a slash is a range of one.
struct Network {
    aio::IpAddress address;
    unsigned prefix_bits = 0;

    static std::optional<Network> parse(std::string_view text);
    bool contains(const aio::IpAddress& candidate) const;
    std::string to_string() const;
};

// Which addresses a client may connect to (H116-H119). Asked with the very address that connect()
// gets, for each hop and each retry, so that no spelling and no name server can get round it.
//
// Denied unless allowed: this machine, private and shared networks, link-local (where clouds keep
// their metadata), multicast, reserved ranges, and IPv6 forms that carry an IPv4 address are judged
// by that address.
class AddressPolicy {
public:
    AddressPolicy() = default;

    void allow(Network network) {
        allowed_.push_back(network);
        ++revision_;
    }

    // Denied whatever is allowed: our own listeners. One that listens on every address (0.0.0.0,
    // ::) denies its port on all that are not public.
    void deny(aio::Endpoint endpoint) {
        own_.push_back(endpoint);
        ++revision_;
    }

    // The name of the range that denies the endpoint ("loopback"), or nothing if it is allowed.
    std::optional<std::string_view> denies(const aio::Endpoint& endpoint) const;

    // Changes with every change: what was judged under another must be judged again.
    std::uint32_t revision() const { return revision_; }

private:
    std::vector<Network> allowed_;
    std::vector<aio::Endpoint> own_;
    std::uint32_t revision_ = 0;
};

}  // namespace weft::http
