#include "web/host/punycode.h"

#include <algorithm>
#include <cstdint>
#include <limits>

#include "base/bytes.h"
#include "base/limits.h"

namespace weft::web {
namespace {

// The parameters of RFC 3492, section 5.
constexpr std::uint32_t kBase = 36;
constexpr std::uint32_t kThresholdMin = 1;
constexpr std::uint32_t kThresholdMax = 26;
constexpr std::uint32_t kSkew = 38;
constexpr std::uint32_t kDamp = 700;
constexpr std::uint32_t kInitialBias = 72;
constexpr char32_t kInitialCodePoint = 0x80;
constexpr std::uint32_t kNumberMax = std::numeric_limits<std::uint32_t>::max();

// The threshold t of RFC 3492 section 3.3.
std::uint32_t threshold(std::uint32_t position, std::uint32_t bias) {
    if (position <= bias + kThresholdMin) return kThresholdMin;
    return std::min(position - bias, kThresholdMax);
}

// Bias adaptation, RFC 3492 section 6.1.
std::uint32_t adapted_bias(std::uint32_t delta, std::uint32_t count, bool is_first) {
    delta /= is_first ? kDamp : 2;
    delta += delta / count;
    std::uint32_t steps = 0;
    while (delta > (kBase - kThresholdMin) * kThresholdMax / 2) {
        delta /= kBase - kThresholdMin;
        steps += kBase;
    }
    return steps + (kBase - kThresholdMin + 1) * delta / (delta + kSkew);
}

char digit(std::uint32_t value) {
    return static_cast<char>(value < 26 ? 'a' + value : '0' + (value - 26));
}

std::uint32_t digit_value(char c) {
    if (is_digit(c)) return static_cast<std::uint32_t>(c - '0' + 26);
    if (is_alpha(c)) return static_cast<std::uint32_t>(to_lower(c) - 'a');
    return kBase;
}

void append_number(std::string& out, std::uint32_t number, std::uint32_t bias) {
    for (std::uint32_t position = kBase;; position += kBase) {
        const std::uint32_t limit = threshold(position, bias);
        if (number < limit) break;
        out += digit(limit + (number - limit) % (kBase - limit));
        number = (number - limit) / (kBase - limit);
    }
    out += digit(number);
}

// Removes one variable-length number from the front of `text` and returns it. The overflow checks
// are those of RFC 3492 section 6.4.
std::optional<std::uint32_t> take_number(std::string_view& text, std::uint32_t bias) {
    std::uint64_t number = 0;
    std::uint64_t weight = 1;
    for (std::uint32_t position = kBase;; position += kBase) {
        if (text.empty()) return std::nullopt;
        const std::uint32_t value = digit_value(text.front());
        text.remove_prefix(1);
        if (value >= kBase) return std::nullopt;
        number += value * weight;
        if (number > kNumberMax) return std::nullopt;
        const std::uint32_t limit = threshold(position, bias);
        if (value < limit) return static_cast<std::uint32_t>(number);
        weight *= kBase - limit;
        if (weight > kNumberMax) return std::nullopt;
    }
}

}  // namespace

std::optional<std::string> punycode_encode(std::u32string_view label) {
    if (label.size() > limits::kDomainLabelMax) return std::nullopt;
    std::string out;
    for (const char32_t c : label) {
        if (c < kInitialCodePoint) out += static_cast<char>(c);
    }
    const auto basic_count = static_cast<std::uint32_t>(out.size());
    if (basic_count > 0) out += '-';

    char32_t current = kInitialCodePoint;
    std::uint32_t delta = 0;  // At most 0x110000 * (limits::kDomainLabelMax + 1): no overflow.
    std::uint32_t bias = kInitialBias;
    std::uint32_t done = basic_count;
    while (done < label.size()) {
        // The smallest code point that is not written yet. All its occurrences are written next.
        char32_t next = std::numeric_limits<char32_t>::max();
        for (const char32_t c : label) {
            if (c >= current) next = std::min(next, c);
        }
        delta += (next - current) * (done + 1);
        current = next;
        for (const char32_t c : label) {
            if (c < current) ++delta;
            if (c != current) continue;
            append_number(out, delta, bias);
            bias = adapted_bias(delta, done + 1, done == basic_count);
            delta = 0;
            ++done;
        }
        ++delta;
        ++current;
    }
    return out;
}

std::optional<std::u32string> punycode_decode(std::string_view text) {
    if (text.size() > limits::kDomainLabelMax) return std::nullopt;
    std::u32string label;
    // The last hyphen is the delimiter, unless nothing stands before it (RFC 3492 section 6.2).
    if (const std::size_t hyphen = text.rfind('-');
        hyphen != std::string_view::npos && hyphen > 0) {
        label.assign(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(hyphen));
        text.remove_prefix(hyphen + 1);
    }
    const std::size_t basic_count = label.size();
    std::uint64_t code_point = kInitialCodePoint;
    std::uint64_t place = 0;
    std::uint32_t bias = kInitialBias;
    while (!text.empty()) {
        const std::optional<std::uint32_t> delta = take_number(text, bias);
        if (!delta) return std::nullopt;
        const std::uint64_t count = label.size() + 1;
        bias = adapted_bias(*delta, static_cast<std::uint32_t>(count), label.size() == basic_count);
        place += *delta;
        code_point += place / count;
        place %= count;
        if (code_point > 0x10FFFF) return std::nullopt;
        label.insert(label.begin() + static_cast<std::ptrdiff_t>(place),
                     static_cast<char32_t>(code_point));
        ++place;
    }
    return label;
}

}  // namespace weft::web
