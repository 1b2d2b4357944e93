#include "archive/json_line.h"

#include <charconv>

#include "base/bytes.h"

namespace weft::archive {
namespace {

constexpr std::size_t kNone = std::string_view::npos;

std::size_t skip_blanks(std::string_view text, std::size_t at) {
    while (at < text.size() && (text[at] == ' ' || text[at] == '\t' || text[at] == '\r')) ++at;
    return at;
}

// Behind the closing quote of the string that begins at `at`.
std::size_t end_of_string(std::string_view text, std::size_t at) {
    ++at;
    for (;;) {
        at = text.find_first_of("\"\\", at);
        if (at == kNone) return kNone;
        if (text[at] == '"') return at + 1;
        at += 2;  // What is escaped goes with its backslash.
    }
}

// Behind the value that begins at `at`. Brackets are counted, so depth costs nothing.
std::size_t end_of_value(std::string_view text, std::size_t at) {
    if (at >= text.size()) return kNone;
    if (text[at] == '"') return end_of_string(text, at);
    if (text[at] != '{' && text[at] != '[') {
        const std::size_t end = text.find_first_of(",}] \t\r", at);
        return end == at ? kNone : end;
    }
    std::size_t depth = 0;
    while (at < text.size()) {
        at = text.find_first_of("\"{}[]", at);
        if (at == kNone) return kNone;
        if (text[at] == '"') {
            at = end_of_string(text, at);
            if (at == kNone) return kNone;
            continue;
        }
        if (text[at] == '{' || text[at] == '[') {
            ++depth;
        } else {
            --depth;
        }
        ++at;
        if (depth == 0) return at;
    }
    return kNone;
}

void append_utf8(std::string& out, std::uint32_t c) {
    if (c < 0x80) {
        out += static_cast<char>(c);
        return;
    }
    const auto tail = [&](unsigned shift) { out += static_cast<char>(0x80 | (c >> shift & 0x3F)); };
    if (c < 0x800) {
        out += static_cast<char>(0xC0 | c >> 6);
    } else if (c < 0x10000) {
        out += static_cast<char>(0xE0 | c >> 12);
        tail(6);
    } else {
        out += static_cast<char>(0xF0 | c >> 18);
        tail(12);
        tail(6);
    }
    tail(0);
}

std::optional<std::uint32_t> read_hex(std::string_view digits) {
    std::uint32_t value = 0;
    const auto read = std::from_chars(digits.data(), digits.data() + digits.size(), value, 16);
    if (digits.size() != 4 || read.ptr != digits.data() + digits.size()) return std::nullopt;
    return value;
}

// \uXXXX, and two of them for one code point beyond the first 65,536. `text` begins with "\u".
std::size_t unescape_code(std::string_view text, std::string& out) {
    constexpr std::size_t kSize = 6;
    const auto high = read_hex(text.substr(2, 4));
    if (!high) return 0;
    if (*high < 0xD800 || *high > 0xDFFF) {
        append_utf8(out, *high);
        return kSize;
    }
    const auto low =
        text.substr(kSize).starts_with("\\u") ? read_hex(text.substr(kSize + 2, 4)) : std::nullopt;
    if (*high > 0xDBFF || !low || *low < 0xDC00 || *low > 0xDFFF) {
        append_utf8(out, 0xFFFD);
        return kSize;
    }
    append_utf8(out, 0x10000 + ((*high - 0xD800) << 10) + (*low - 0xDC00));
    return 2 * kSize;
}

}  // namespace

std::optional<std::string> read_json_string(std::string_view literal) {
    if (literal.size() < 2 || literal.front() != '"' || literal.back() != '"') return std::nullopt;
    literal = literal.substr(1, literal.size() - 2);
    std::size_t at = literal.find('\\');
    if (at == kNone) return std::string(literal);
    std::string out(literal.substr(0, at));
    while (at < literal.size()) {
        if (literal[at] != '\\') {
            const std::size_t end = std::min(literal.find('\\', at), literal.size());
            out += literal.substr(at, end - at);
            at = end;
            continue;
        }
        if (at + 1 == literal.size()) return std::nullopt;
        constexpr std::string_view kLetters = "\"\\/bfnrt";
        const std::size_t letter = kLetters.find(literal[at + 1]);
        if (letter != kNone) {
            out += "\"\\/\b\f\n\r\t"[letter];
            at += 2;
        } else {
            const std::size_t size =
                literal[at + 1] == 'u' ? unescape_code(literal.substr(at), out) : 0;
            if (size == 0) return std::nullopt;
            at += size;
        }
    }
    return out;
}

std::optional<std::uint64_t> read_json_number(std::string_view text) {
    std::uint64_t value = 0;
    const auto read = std::from_chars(text.data(), text.data() + text.size(), value);
    if (read.ec != std::errc() || read.ptr != text.data() + text.size()) return std::nullopt;
    return value;
}

std::vector<std::string> read_json_strings(std::string_view array) {
    std::vector<std::string> strings;
    if (!array.starts_with('[')) return strings;
    for (std::size_t at = skip_blanks(array, 1); at < array.size() && array[at] != ']';) {
        const std::size_t end = end_of_value(array, at);
        if (end == kNone) break;
        if (auto text = read_json_string(array.substr(at, end - at))) {
            strings.push_back(*std::move(text));
        }
        at = skip_blanks(array, end);
        if (at < array.size() && array[at] == ',') at = skip_blanks(array, at + 1);
    }
    return strings;
}

std::optional<JsonLine> JsonLine::parse(std::string_view text) {
    std::size_t at = skip_blanks(text, 0);
    if (at >= text.size() || text[at] != '{') return std::nullopt;
    JsonLine line;
    line.members_.reserve(32);
    at = skip_blanks(text, at + 1);
    if (at < text.size() && text[at] == '}') return line;
    for (;;) {
        if (at >= text.size() || text[at] != '"') return std::nullopt;
        const std::size_t name_end = end_of_string(text, at);
        if (name_end == kNone) return std::nullopt;
        const std::string_view name = text.substr(at + 1, name_end - at - 2);
        at = skip_blanks(text, name_end);
        if (at >= text.size() || text[at] != ':') return std::nullopt;
        at = skip_blanks(text, at + 1);
        const std::size_t end = end_of_value(text, at);
        if (end == kNone) return std::nullopt;
        line.members_.push_back({name, text.substr(at, end - at)});
        at = skip_blanks(text, end);
        if (at >= text.size()) return std::nullopt;
        if (text[at] == '}') return line;
        if (text[at] != ',') return std::nullopt;
        at = skip_blanks(text, at + 1);
    }
}

const JsonLine::Member* JsonLine::find(std::string_view name) const {
    for (std::size_t i = 0; i < members_.size(); ++i) {
        const std::size_t at = (next_ + i) % members_.size();
        if (members_[at].name != name) continue;
        next_ = at + 1;
        return &members_[at];
    }
    return nullptr;
}

bool JsonLine::read(std::string_view name, std::string& value) const {
    const Member* member = find(name);
    if (!member) return false;
    auto text = read_json_string(member->value);
    if (!text) return false;
    value = *std::move(text);
    return true;
}

bool JsonLine::read(std::string_view name, std::uint64_t& value) const {
    const Member* member = find(name);
    if (!member) return false;
    const auto number = read_json_number(member->value);
    if (!number) return false;
    value = *number;
    return true;
}

bool JsonLine::read(std::string_view name, bool& value) const {
    const Member* member = find(name);
    if (!member || (member->value != "true" && member->value != "false")) return false;
    value = member->value == "true";
    return true;
}

std::optional<std::string_view> JsonLine::nested(std::string_view name) const {
    const Member* member = find(name);
    if (!member || member->value.empty()) return std::nullopt;
    const char first = member->value.front();
    if (first != '{' && first != '[') return std::nullopt;
    return member->value;
}

}  // namespace weft::archive
