#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// IP addresses as URLs spell them (URL standard, sections 3.5 and 3.6).
namespace weft::web {

struct Ipv4Address {
    std::uint32_t bits = 0;  // 127.0.0.1 is 0x7F000001.
    friend bool operator==(const Ipv4Address&, const Ipv4Address&) = default;
};

struct Ipv6Address {
    std::array<std::uint16_t, 8> pieces{};
    friend bool operator==(const Ipv6Address&, const Ipv6Address&) = default;
};

// Whether the last label is a number, so that the host must be an IPv4 address or is invalid.
bool ends_in_number(std::string_view host);

// Every form browsers take: decimal, octal (0177), hexadecimal (0x7f), one to four parts.
std::optional<Ipv4Address> parse_ipv4(std::string_view text);

// Without the brackets; no zone.
std::optional<Ipv6Address> parse_ipv6(std::string_view text);

// "127.0.0.1"
std::string to_string(Ipv4Address address);

// "::1": lower case, the first longest run of two or more zero pieces compressed; no brackets.
std::string to_string(const Ipv6Address& address);

}  // namespace weft::web
