#include "web/robots/robots_pattern.h"

#include <array>

#include <string.h>

#include "base/bytes.h"
#include "web/url/percent.h"

namespace weft::web {
namespace {

// How an octet is normalized: kept, escaped, or by a rule of its own.
enum class Octet : std::uint8_t { plain, escaped, percent, special, fragment };

constexpr std::array<Octet, 256> kOctets = [] {
    std::array<Octet, 256> table{};
    for (std::size_t i = 0; i < 256; ++i) {
        if (i <= 0x20 || i >= 0x7F) table[i] = Octet::escaped;
    }
    for (char c : std::string_view("\"<>\\^`{|}")) {
        table[static_cast<unsigned char>(c)] = Octet::escaped;
    }
    table['%'] = Octet::percent;
    table['*'] = Octet::special;
    table['$'] = Octet::special;
    table['#'] = Octet::fragment;
    return table;
}();

Octet kind_of(char c) {
    return kOctets[static_cast<unsigned char>(c)];
}

// Appends the normalized form of the escape at the front of `text` and returns how many characters
// it has there. A percent sign that starts no escape is written as %25: left as it is, it could
// form an escape with the text after it.
std::size_t append_front(std::string& out, std::string_view text) {
    if (text.size() < 3 || !is_hex_digit(text[1]) || !is_hex_digit(text[2])) {
        append_percent(out, '%');
        return 1;
    }
    const char c = static_cast<char>(hex_value(text[1]) << 4 | hex_value(text[2]));
    if (is_unreserved(c)) {
        out += c;
    } else {
        append_percent(out, c);
    }
    return 3;
}

// Any hash of the pair is correct. Two pairs with the same bit only make the filter weaker.
std::uint64_t neighbour_bit(char first, char second) {
    const auto a = static_cast<unsigned char>(first), b = static_cast<unsigned char>(second);
    return std::uint64_t{1} << ((a * 7u + b * 29u) & 63);
}

// Whether `part` occurs at or after `position`, which then moves behind it.
bool contains(std::string_view text, std::string_view part, std::size_t& position) {
    if (part.empty()) return true;
    // memmem() is linear also for long needles; std::string_view::find() is not.
    const void* found =
        memmem(text.data() + position, text.size() - position, part.data(), part.size());
    if (found == nullptr) return false;
    position =
        static_cast<std::size_t>(static_cast<const char*>(found) - text.data()) + part.size();
    return true;
}

}  // namespace

RobotsPattern normalize_pattern(std::string_view path) {
    RobotsPattern out;
    out.text.reserve(path.size());
    const bool is_anchored = path.ends_with('$');
    if (is_anchored) path.remove_suffix(1);
    for (std::size_t i = 0; i < path.size();) {
        const char c = path[i];
        const std::size_t before = out.text.size();
        std::size_t taken = 1;
        switch (kind_of(c)) {
            case Octet::plain:
            case Octet::fragment: out.text += c; break;
            case Octet::escaped: append_percent(out.text, c); break;
            case Octet::percent: taken = append_front(out.text, path.substr(i)); break;
            case Octet::special:
                if (c == '$') {
                    append_percent(out.text, c);
                } else if (!out.text.ends_with('*')) {  // "**" means the same as "*".
                    out.text += c;
                }
        }
        const bool is_ascii_as_written = taken == 1 && static_cast<unsigned char>(c) < 0x80;
        out.length +=
            is_ascii_as_written ? 1 : static_cast<std::uint32_t>(out.text.size() - before);
        i += taken;
    }
    if (is_anchored) {
        out.text += '$';
        out.length += 1;
    }
    return out;
}

std::string_view normalize_path(std::string_view path, std::string& buffer) {
    std::size_t i = 0;
    while (i < path.size() && kind_of(path[i]) == Octet::plain) ++i;
    if (i == path.size()) return path;
    buffer.assign(path.substr(0, i));
    while (i < path.size()) {
        const char c = path[i];
        switch (kind_of(c)) {
            case Octet::plain: buffer += c; break;
            case Octet::percent: i += append_front(buffer, path.substr(i)) - 1; break;
            case Octet::escaped:
            case Octet::special: append_percent(buffer, c); break;
            case Octet::fragment: return buffer;
        }
        ++i;
    }
    return buffer;
}

bool matches(std::string_view pattern, std::string_view path) {
    const bool is_anchored = pattern.ends_with('$');
    if (is_anchored) pattern.remove_suffix(1);
    const std::size_t first_star = pattern.find('*');
    if (first_star == std::string_view::npos) {
        return is_anchored ? path == pattern : path.starts_with(pattern);
    }
    if (!path.starts_with(pattern.substr(0, first_star))) return false;
    std::size_t position = first_star;
    pattern.remove_prefix(first_star + 1);
    // Each part is taken at its first occurrence. That leaves the most room for the parts after it,
    // so no other occurrence has to be tried.
    for (std::size_t star; (star = pattern.find('*')) != std::string_view::npos;) {
        if (!contains(path, pattern.substr(0, star), position)) return false;
        pattern.remove_prefix(star + 1);
    }
    if (!is_anchored) return contains(path, pattern, position);
    return path.size() - position >= pattern.size() && path.ends_with(pattern);
}

std::uint64_t neighbours_in_path(std::string_view path) {
    std::uint64_t even = 0, odd = 0;  // Two independent chains, so that the CPU overlaps them.
    std::size_t i = 1;
    for (; i + 1 < path.size(); i += 2) {
        even |= neighbour_bit(path[i - 1], path[i]);
        odd |= neighbour_bit(path[i], path[i + 1]);
    }
    if (i < path.size()) even |= neighbour_bit(path[i - 1], path[i]);
    return even | odd;
}

std::uint64_t neighbours_in_pattern(std::string_view pattern) {
    if (pattern.ends_with('$')) pattern.remove_suffix(1);
    std::uint64_t bits = 0;
    for (std::size_t i = 1; i < pattern.size(); ++i) {
        if (pattern[i - 1] == '*' || pattern[i] == '*') continue;
        bits |= neighbour_bit(pattern[i - 1], pattern[i]);
    }
    return bits;
}

}  // namespace weft::web
