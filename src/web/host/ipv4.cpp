#include <algorithm>
#include <limits>

#include <fmt/format.h>

#include "base/bytes.h"
#include "web/host/ip_address.h"

namespace weft::web {
namespace {

constexpr std::uint64_t kSaturated = std::uint64_t{1} << 32;

// A number in C's notation. A number over 32 bits saturates, because it is only known to be too
// big. "0x" alone is zero ("IPv4 number parser" of the URL standard).
std::optional<std::uint64_t> parse_number(std::string_view text) {
    if (text.empty()) return std::nullopt;
    int radix = 10;
    if (text.starts_with("0x") || text.starts_with("0X")) {
        text.remove_prefix(2);
        radix = 16;
    } else if (text.size() >= 2 && text[0] == '0') {
        text.remove_prefix(1);
        radix = 8;
    }
    std::uint64_t number = 0;
    for (const char c : text) {
        if (!is_hex_digit(c) || hex_value(c) >= radix) return std::nullopt;
        number = std::min(kSaturated, number * static_cast<unsigned>(radix) +
                                          static_cast<unsigned>(hex_value(c)));
    }
    return number;
}

}  // namespace

bool ends_in_number(std::string_view host) {
    if (host.ends_with('.')) host.remove_suffix(1);
    const std::string_view last = host.substr(host.rfind('.') + 1);
    if (last.empty()) return false;
    return std::ranges::all_of(last, [](char c) { return is_digit(c); }) ||
           parse_number(last).has_value();
}

std::optional<Ipv4Address> parse_ipv4(std::string_view text) {
    if (text.ends_with('.')) text.remove_suffix(1);
    std::uint64_t address = 0;
    for (int part = 0; part < 4; ++part) {
        const std::size_t dot = text.find('.');
        const std::optional<std::uint64_t> number = parse_number(text.substr(0, dot));
        if (!number) return std::nullopt;
        if (dot == std::string_view::npos) {
            // The last part fills all remaining bytes: "127.1" is 127.0.0.1.
            const int bits_left = 8 * (4 - part);
            if (*number >> bits_left != 0) return std::nullopt;
            return Ipv4Address{static_cast<std::uint32_t>(address << bits_left | *number)};
        }
        if (*number > 255) return std::nullopt;
        address = address << 8 | *number;
        text.remove_prefix(dot + 1);
    }
    return std::nullopt;
}

std::string to_string(Ipv4Address address) {
    return fmt::format("{}.{}.{}.{}", address.bits >> 24, address.bits >> 16 & 255,
                       address.bits >> 8 & 255, address.bits & 255);
}

}  // namespace weft::web
