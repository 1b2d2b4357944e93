#include "archive/warc/warc_header.h"

#include <algorithm>
#include <charconv>
#include <utility>

#include "archive/index/lines.h"
#include "base/bytes.h"

namespace weft::archive {

namespace {

// Digits only, up to 2^64-1: the reader never allocates by this number.
bool parse_length(std::string_view text, std::uint64_t& length) {
    const auto [end, error] = std::from_chars(text.begin(), text.end(), length);
    return error == std::errc() && end == text.end();
}

}  // namespace

std::string_view describe(WarcError error) {
    switch (error) {
        case WarcError::not_a_record: return "not a WARC record: it does not begin with WARC/";
        case WarcError::header_too_long: return "a record's header has no end within its limit";
        case WarcError::truncated_header: return "the file ends inside a record's header";
        case WarcError::bad_length: return "a record's Content-Length is missing or no number";
        case WarcError::missing_newline: return "a record begins right after another's block";
        case WarcError::shared_member:
            return "a compressed member holds more than one record; repack it with a member for "
                   "each";
        case WarcError::bad_packing: return "the compressed data is damaged";
    }
    std::unreachable();
}

std::expected<WarcHeader, WarcError> WarcHeader::parse(std::string_view text) {
    if (!text.starts_with("WARC/")) return std::unexpected(WarcError::not_a_record);
    WarcHeader header;
    header.version_ = trim(take_line(text));
    while (!text.empty()) {
        const std::string_view line = take_line(text);
        if (line.empty()) break;
        // A continuation line (WARC 1.1, section 4 allows folding, as in mail).
        if ((line[0] == ' ' || line[0] == '\t') && !header.fields_.empty()) {
            std::string& value = header.fields_.back().second;
            value += ' ';
            value += trim(line);
            continue;
        }
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        header.fields_.emplace_back(trim(line.substr(0, colon)), trim(line.substr(colon + 1)));
    }
    // The only field that the reader cannot do without.
    if (!parse_length(header.get("Content-Length"), header.content_length_)) {
        return std::unexpected(WarcError::bad_length);
    }
    return header;
}

std::string_view WarcHeader::get(std::string_view name) const {
    for (const auto& [field, value] : fields_) {
        if (equals_ignore_case(field, name)) return value;
    }
    return {};
}

bool WarcHeader::has(std::string_view name) const {
    return std::ranges::any_of(
        fields_, [name](const auto& field) { return equals_ignore_case(field.first, name); });
}

std::string WarcHeader::target_uri() const {
    std::string_view found = get("WARC-Target-URI");
    if (found.starts_with('<') && found.ends_with('>')) {  // Written by wget 1.14 to 1.19.
        found = found.substr(1, found.size() - 2);
    }
    std::string uri;
    for (const char c : found) {
        if (c == ' ') {
            uri += "%20";
        } else {
            uri += c;
        }
    }
    return uri;
}

}  // namespace weft::archive
