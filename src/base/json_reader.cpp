#include "base/json_reader.h"

#include <charconv>

#include "base/bytes.h"
#include "base/scan.h"

namespace weft {
namespace {

// The bytes of a number. Their order is not checked when a number is skipped: weft writes these
// lines itself, and a malformed number is skipped as well.
constexpr std::string_view kNumberBytes = "+-.0123456789Ee";

bool is_space(char c) {
    return c == ' ' || c == '\t' || c == '\r' || c == '\n';
}

// The offset of the next quote or backslash; the size if there is none.
std::size_t find_string_stop(std::string_view text) {
    const char* const begin = text.data();
    return static_cast<std::size_t>(find_any<'"', '\\'>(begin, begin + text.size()) - begin);
}

}  // namespace

bool JsonReader::fail() {
    rest_ = {};
    has_failed_ = true;
    return false;
}

char JsonReader::peek() {
    while (!rest_.empty() && is_space(rest_.front())) rest_.remove_prefix(1);
    return rest_.empty() ? '\0' : rest_.front();
}

bool JsonReader::is_whole() {
    return peek() == '\0' && rest_.empty() && !has_failed_;
}

// One flag serves all levels: on leaving an inner object or array, its parent has had an item.
bool JsonReader::enter(char bracket) {
    if (peek() != bracket) {
        skip();
        return false;
    }
    rest_.remove_prefix(1);
    is_first_ = true;
    return true;
}

bool JsonReader::next(char bracket) {
    const char first = peek();
    if (first == bracket) {
        rest_.remove_prefix(1);
        is_first_ = false;
        return false;
    }
    if (!is_first_) {
        if (first != ',') return fail();
        rest_.remove_prefix(1);
    }
    is_first_ = false;
    // After a comma the bracket may not follow; the read of the value fails there.
    return peek() != '\0' || fail();
}

bool JsonReader::next_member() {
    if (!next('}')) return false;
    if (!take_string(key_, key_scratch_) || peek() != ':') return fail();
    rest_.remove_prefix(1);
    return true;
}

void JsonReader::read(std::string& value) {
    if (peek() != '"') return skip();
    std::string_view inside;
    if (take_string(inside, scratch_)) value = inside;
}

void JsonReader::read(std::uint64_t& value) {
    peek();
    std::uint64_t number = 0;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + rest_.size(), number);
    // "1.5" and "1e3" begin with a whole number and are none.
    const auto length = static_cast<std::size_t>(end - rest_.data());
    const bool is_longer =
        length < rest_.size() && kNumberBytes.find(rest_[length]) != std::string_view::npos;
    if (error != std::errc() || is_longer) return skip();
    rest_.remove_prefix(length);
    value = number;
}

void JsonReader::read(bool& value) {
    const char first = peek();
    if (first != 't' && first != 'f') return skip();
    if (take(first == 't' ? "true" : "false")) value = first == 't';
}

bool JsonReader::take(std::string_view word) {
    if (!rest_.starts_with(word)) return fail();
    rest_.remove_prefix(word.size());
    return true;
}

bool JsonReader::take_string(std::string_view& inside, std::string& scratch) {
    if (peek() != '"') return fail();
    rest_.remove_prefix(1);
    std::size_t end = find_string_stop(rest_);
    if (end == rest_.size()) return fail();
    if (rest_[end] == '"') {
        inside = rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        return true;
    }
    scratch.clear();
    while (rest_[end] == '\\') {
        scratch += rest_.substr(0, end);
        rest_.remove_prefix(end + 1);
        if (!take_escape(scratch)) return fail();
        end = find_string_stop(rest_);
        if (end == rest_.size()) return fail();
    }
    scratch += rest_.substr(0, end);
    rest_.remove_prefix(end + 1);
    inside = scratch;
    return true;
}

bool JsonReader::take_unit(std::uint32_t& unit) {
    if (rest_.size() < 4) return false;
    const auto [end, error] = std::from_chars(rest_.data(), rest_.data() + 4, unit, 16);
    if (error != std::errc() || end != rest_.data() + 4) return false;
    rest_.remove_prefix(4);
    return true;
}

bool JsonReader::take_escape(std::string& out) {
    constexpr std::string_view kLetters = "\"\\/bfnrt";
    constexpr std::string_view kMeanings = "\"\\/\b\f\n\r\t";
    if (rest_.empty()) return false;
    const char letter = rest_.front();
    rest_.remove_prefix(1);
    if (const std::size_t at = kLetters.find(letter); at != std::string_view::npos) {
        out += kMeanings[at];
        return true;
    }
    // RFC 8259 section 7: \uXXXX is a UTF-16 code unit, and two of them may be a surrogate pair.
    // A surrogate without its partner becomes U+FFFD, so that the result is always UTF-8.
    std::uint32_t unit = 0;
    if (letter != 'u' || !take_unit(unit)) return false;
    const bool is_lead = unit >= 0xD800 && unit < 0xDC00;
    std::uint32_t second = 0;
    if (is_lead && rest_.starts_with("\\u")) {
        const std::string_view before = rest_;
        rest_.remove_prefix(2);
        if (!take_unit(second)) return false;
        if (second >= 0xDC00 && second < 0xE000) {
            append_utf8(out, 0x10000 + ((unit - 0xD800) << 10) + (second - 0xDC00));
            return true;
        }
        rest_ = before;
    }
    append_utf8(out, unit >= 0xD800 && unit < 0xE000 ? 0xFFFD : unit);
    return true;
}

void JsonReader::skip_scalar() {
    const char first = peek();
    if (first == '"') {
        std::string_view inside;
        take_string(inside, scratch_);
    } else if (first == 't') {
        take("true");
    } else if (first == 'f') {
        take("false");
    } else if (first == 'n') {
        take("null");
    } else {
        const std::size_t end = std::min(rest_.find_first_not_of(kNumberBytes), rest_.size());
        if (end == 0) {
            fail();
            return;
        }
        rest_.remove_prefix(end);
    }
}

// It counts open brackets instead of recursing, so that deep nesting cannot overflow the stack. It
// does not check that brackets match or that commas and colons are in place: the value is dropped.
void JsonReader::skip() {
    std::size_t depth = 0;
    do {
        const char first = peek();
        if (first == '{' || first == '[') {
            rest_.remove_prefix(1);
            ++depth;
        } else if (depth > 0 && (first == '}' || first == ']')) {
            rest_.remove_prefix(1);
            --depth;
        } else if (depth > 0 && (first == ',' || first == ':')) {
            rest_.remove_prefix(1);
        } else {
            skip_scalar();
        }
    } while (depth > 0 && !has_failed_);
    is_first_ = false;
}

}  // namespace weft
