#include "http/message/field_line.h"

#include <array>

#include "base/assert.h"

namespace weft::http {

namespace {

// White space between fields and values is only this (OWS, RFC 9110, 5.6.3).
bool is_space(char c) {
    return c == ' ' || c == '\t';
}

std::string_view trim_spaces(std::string_view text) {
    while (!text.empty() && is_space(text.front())) text.remove_prefix(1);
    while (!text.empty() && is_space(text.back())) text.remove_suffix(1);
    return text;
}

// What the tolerant rules accept in a name: every visible byte except the colon.
constexpr std::array<bool, 256> kIsNameByte = [] {
    std::array<bool, 256> table{};
    for (std::size_t c = 0x21; c < 256; ++c) table[c] = c != 0x7F && c != ':';
    return table;
}();

}  // namespace

std::expected<void, ParseError> read_field(std::string_view line, Rules rules, Headers& headers,
                                           Oddities& oddities) {
    WEFT_ASSERT(!line.empty());
    if (is_space(line.front())) {
        // A folded line (obs-fold, RFC 9112, 5.2). Before the first field there is nothing to
        // continue.
        if (rules == Rules::strict || headers.empty()) {
            return std::unexpected(ParseError::misplaced_fold);
        }
        oddities.add(Oddity::folded_field);
        headers.extend_last(trim_spaces(line));
        return {};
    }
    const std::array<bool, 256>& is_name_byte = rules == Rules::strict ? kIsTokenByte : kIsNameByte;
    std::size_t end = 0;
    while (end < line.size() && is_name_byte[static_cast<unsigned char>(line[end])]) ++end;
    if (end == line.size()) return std::unexpected(ParseError::missing_colon);
    // A space before the colon is an error too: RFC 9112, 5.1 forbids it, because readers that
    // disagree on the name disagree on the framing.
    if (end == 0 || line[end] != ':') {
        const bool has_colon = line.find(':', end) != std::string_view::npos;
        return std::unexpected(has_colon ? ParseError::bad_field_name : ParseError::missing_colon);
    }
    headers.add(line.substr(0, end), trim_spaces(line.substr(end + 1)));
    return {};
}

}  // namespace weft::http
