#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

// IP addresses in URLs (URL standard, sections 3.5 and 3.6).
namespace weft::web {

struct Ipv4Address {
    std::uint32_t bits = 0;  // 127.0.0.1 is 0x7F000001.
    friend bool operator==(const Ipv4Address&, const Ipv4Address&) = default;
};

struct Ipv6Address {
    std::array<std::uint16_t, 8> pieces{};
    friend bool operator==(const Ipv6Address&, const Ipv6Address&) = default;
};

// Whether the last label is a number. Then the host is an IPv4 address or it is invalid.
bool ends_in_number(std::string_view host);

// Accepts every form that browsers accept: decimal, octal (0177) and hexadecimal (0x7f) numbers,
// one to four parts.
std::optional<Ipv4Address> parse_ipv4(std::string_view text);

// `text` is without the brackets. A zone ("%eth0") is not accepted.
std::optional<Ipv6Address> parse_ipv6(std::string_view text);

// "127.0.0.1"
std::string to_string(Ipv4Address address);

// "::1": lower case and without brackets. The longest run of two or more zero pieces is compressed,
// the first one if several are equally long.
std::string to_string(const Ipv6Address& address);

}  // namespace weft::web
