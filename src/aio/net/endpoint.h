#pragma once

#include <array>
#include <compare>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace weft::aio {

// An IPv4 or IPv6 address.
class IpAddress {
public:
    // "192.0.2.1" or "2001:db8::1" (no brackets, no port).
    static std::optional<IpAddress> parse(std::string_view text);
    static IpAddress v4(std::array<std::uint8_t, 4> bytes);
    static IpAddress v6(std::array<std::uint8_t, 16> bytes);
    static IpAddress loopback() { return v4({127, 0, 0, 1}); }

    bool is_v4() const { return is_v4_; }
    bool is_v6() const { return !is_v4_; }

    // For an IPv4 address the first four bytes count, the rest is zero.
    const std::array<std::uint8_t, 16>& bytes() const { return bytes_; }

    std::string to_string() const;

    friend auto operator<=>(const IpAddress&, const IpAddress&) = default;

private:
    std::array<std::uint8_t, 16> bytes_{};
    bool is_v4_ = true;
};

// An address and a port: the target of a connection.
struct Endpoint {
    IpAddress address;
    std::uint16_t port = 0;

    // "192.0.2.1:80", "[2001:db8::1]:80".
    std::string to_string() const;

    friend auto operator<=>(const Endpoint&, const Endpoint&) = default;
};

}  // namespace weft::aio
