#pragma once

#include <compare>
#include <cstdint>
#include <string>

namespace weft::redis {

// Where one server of a cluster listens.
struct Node {
    std::string host;  // A name or an IP address, without brackets.
    std::uint16_t port = 6379;

    // "127.0.0.1:6379", "[::1]:6379".
    std::string to_string() const;

    friend auto operator<=>(const Node&, const Node&) = default;
};

}  // namespace weft::redis
