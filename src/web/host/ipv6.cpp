#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/bytes.h"
#include "web/host/ip_address.h"

namespace weft::web {
namespace {

// Four decimal parts without leading zeros. The other forms of parse_ipv4() are not allowed here.
std::optional<std::uint32_t> parse_embedded_ipv4(std::string_view text) {
    std::uint32_t address = 0;
    for (int part = 0; part < 4; ++part) {
        if (part > 0) {
            if (!text.starts_with('.')) return std::nullopt;
            text.remove_prefix(1);
        }
        std::uint32_t number = 0;
        std::size_t length = 0;
        while (length < text.size() && is_digit(text[length])) {
            if (length > 0 && number == 0) return std::nullopt;
            number = number * 10 + static_cast<std::uint32_t>(text[length++] - '0');
            if (number > 255) return std::nullopt;
        }
        if (length == 0) return std::nullopt;
        text.remove_prefix(length);
        address = address << 8 | number;
    }
    if (!text.empty()) return std::nullopt;
    return address;
}

// Reads pieces from left to right. It remembers the place of "::" and fills it with zeros at the
// end.
class Ipv6Reader {
public:
    explicit Ipv6Reader(std::string_view text) : rest_(text) {}

    std::optional<Ipv6Address> read() {
        if (rest_.starts_with(':')) {
            if (!rest_.starts_with("::")) return std::nullopt;
            rest_.remove_prefix(2);
            gap_ = 0;
        }
        while (!rest_.empty()) {
            if (count_ == 8 || !read_piece()) return std::nullopt;
        }
        return fill_gap();
    }

private:
    // Reads one piece and the colon after it, or the second colon of "::", or an IPv4 address.
    bool read_piece() {
        if (rest_.starts_with(':')) {
            if (gap_) return false;
            rest_.remove_prefix(1);
            gap_ = count_;
            return true;
        }
        std::size_t length = 0;
        unsigned value = 0;
        while (length < 4 && length < rest_.size() && is_hex_digit(rest_[length])) {
            value = value * 16 + static_cast<unsigned>(hex_value(rest_[length++]));
        }
        if (length < rest_.size() && rest_[length] == '.') return read_ipv4();
        if (length == 0) return false;
        address_.pieces[count_++] = static_cast<std::uint16_t>(value);
        rest_.remove_prefix(length);
        if (rest_.empty()) return true;
        if (!rest_.starts_with(':')) return false;
        rest_.remove_prefix(1);
        return !rest_.empty();  // An address does not end with a single colon.
    }

    bool read_ipv4() {
        if (count_ > 6) return false;  // It takes the place of two pieces.
        const std::optional<std::uint32_t> bits = parse_embedded_ipv4(rest_);
        if (!bits) return false;
        address_.pieces[count_++] = static_cast<std::uint16_t>(*bits >> 16);
        address_.pieces[count_++] = static_cast<std::uint16_t>(*bits & 0xFFFF);
        rest_ = {};
        return true;
    }

    std::optional<Ipv6Address> fill_gap() {
        if (!gap_) return count_ == 8 ? std::optional(address_) : std::nullopt;
        // "::" stands for at least one piece.
        if (count_ == 8) return std::nullopt;
        // The pieces after the gap move to the end; the zeros from there move into the gap.
        const auto begin = address_.pieces.begin();
        const auto gap = begin + static_cast<std::ptrdiff_t>(*gap_);
        std::rotate(gap, begin + static_cast<std::ptrdiff_t>(count_), address_.pieces.end());
        return address_;
    }

    std::string_view rest_;
    Ipv6Address address_;
    std::size_t count_ = 0;
    std::optional<std::size_t> gap_;
};

struct ZeroRun {
    std::size_t start = 8;
    std::size_t length = 1;  // Only runs longer than this are compressed.
};

ZeroRun longest_zero_run(const Ipv6Address& address) {
    ZeroRun best;
    std::size_t start = 0;
    for (std::size_t i = 0; i < 8; ++i) {
        if (address.pieces[i] != 0) {
            start = i + 1;
        } else if (i + 1 - start > best.length) {
            best = {.start = start, .length = i + 1 - start};
        }
    }
    return best;
}

}  // namespace

std::optional<Ipv6Address> parse_ipv6(std::string_view text) {
    return Ipv6Reader(text).read();
}

std::string to_string(const Ipv6Address& address) {
    const ZeroRun run = longest_zero_run(address);
    std::string text;
    for (std::size_t i = 0; i < 8; ++i) {
        if (i == run.start) {
            text += i == 0 ? "::" : ":";
            i += run.length - 1;
            continue;
        }
        fmt::format_to(std::back_inserter(text), "{:x}", address.pieces[i]);
        if (i < 7) text += ':';
    }
    return text;
}

}  // namespace weft::web
