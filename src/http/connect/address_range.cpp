#include "http/connect/address_range.h"

#include <algorithm>
#include <charconv>
#include <cstdint>

#include <fmt/format.h>

namespace weft::http {

using aio::IpAddress;

std::optional<AddressRange> AddressRange::parse(std::string_view text) {
    const std::size_t slash = text.find('/');
    const std::optional<IpAddress> address = IpAddress::parse(text.substr(0, slash));
    if (!address) return std::nullopt;
    const unsigned bits_max = address->is_v4() ? 32 : 128;
    unsigned bits = bits_max;
    if (slash != std::string_view::npos) {
        const std::string_view digits = text.substr(slash + 1);
        const auto [end, error] =
            std::from_chars(digits.data(), digits.data() + digits.size(), bits);
        const bool is_whole = end == digits.data() + digits.size() && !digits.empty();
        if (error != std::errc() || !is_whole || bits > bits_max) return std::nullopt;
    }
    return AddressRange{*address, bits};
}

bool AddressRange::contains(const IpAddress& candidate) const {
    if (candidate.is_v4() != address.is_v4()) return false;
    const auto& a = address.bytes();
    const auto& b = candidate.bytes();
    const std::size_t whole = prefix_bits / 8;
    if (!std::equal(a.begin(), a.begin() + static_cast<std::ptrdiff_t>(whole), b.begin())) {
        return false;
    }
    // A prefix may end within a byte; a prefix of 32 or 128 bits ends before bytes()[whole].
    const unsigned rest = prefix_bits % 8;
    if (rest == 0) return true;
    const auto mask = static_cast<std::uint8_t>(0xFF << (8 - rest));
    return (a[whole] & mask) == (b[whole] & mask);
}

std::string AddressRange::to_string() const {
    return fmt::format("{}/{}", address.to_string(), prefix_bits);
}

}  // namespace weft::http
