#include "http/message/framing.h"

#include <optional>
#include <string_view>

#include "base/bytes.h"

namespace weft::http {

namespace {

// 2^63-1 has 19 digits, and 19 digits never overflow 64 bits.
constexpr std::size_t kLengthDigitsMax = 19;
constexpr std::uint64_t kLengthMax = INT64_MAX;

std::optional<std::uint64_t> parse_length(std::string_view digits) {
    if (digits.empty()) return std::nullopt;
    std::uint64_t length = 0;
    // Leading zeros are allowed and do not count as digits.
    const std::size_t first = std::min(digits.find_first_not_of('0'), digits.size());
    if (digits.size() - first > kLengthDigitsMax) return std::nullopt;
    for (char c : digits) {
        if (!is_digit(c)) return std::nullopt;
        length = length * 10 + static_cast<std::uint64_t>(c - '0');
    }
    if (length > kLengthMax) return std::nullopt;
    return length;
}

// Removes the first element of a comma-separated list and returns it trimmed. `more` says whether a
// comma followed, so that an empty last element is seen too.
std::string_view take_element(std::string_view& list, bool& more) {
    const std::size_t comma = list.find(',');
    const std::string_view element = trim(list.substr(0, comma));
    more = comma != std::string_view::npos;
    if (more) list.remove_prefix(comma + 1);
    return element;
}

// The length that all Content-Length values agree on; nothing if there is no such field. Values are
// compared as text, so "5" and "05" conflict.
std::expected<std::optional<std::uint64_t>, ParseError> agreed_length(const Headers& headers,
                                                                      Oddities& oddities) {
    std::optional<std::string_view> agreed;
    for (std::string_view list : headers.get_all("content-length")) {
        for (bool more = true; more;) {
            const std::string_view element = take_element(list, more);
            if (agreed && element != *agreed) {
                return std::unexpected(ParseError::conflicting_content_lengths);
            }
            if (agreed) oddities.add(Oddity::repeated_length);
            agreed = element;
        }
    }
    if (!agreed) return std::nullopt;
    // A single empty value counts as absent. Several empty ones fail below, as they are no number.
    if (agreed->empty() && !oddities.has(Oddity::repeated_length)) {
        oddities.add(Oddity::empty_length);
        return std::nullopt;
    }
    const std::optional<std::uint64_t> length = parse_length(*agreed);
    if (!length) return std::unexpected(ParseError::bad_content_length);
    return length;
}

// What all Transfer-Encoding fields together say.
struct TransferEncoding {
    bool is_present = false;
    bool ends_in_chunked = false;
    bool wraps_chunks = false;  // Another coding was applied after `chunked`.
    bool has_unknown = false;   // A coding that we cannot undo.
    bool has_only_identity = true;
    std::string others;  // The codings besides `chunked` and `identity`.
};

TransferEncoding read_transfer_encoding(const Headers& headers, Oddities& oddities) {
    TransferEncoding result;
    for (std::string_view list : headers.get_all("transfer-encoding")) {
        result.is_present = true;
        if (!equals_ignore_case(list, "chunked") || result.ends_in_chunked) {
            oddities.add(Oddity::odd_transfer_encoding);
        }
        for (bool more = true; more;) {
            const std::string_view coding = take_element(list, more);
            // RFC 9110, 5.6.1: empty elements of a list are ignored.
            if (coding.empty()) continue;
            const bool is_chunked = equals_ignore_case(coding, "chunked");
            if (result.ends_in_chunked && !is_chunked) result.wraps_chunks = true;
            result.ends_in_chunked = is_chunked;
            if (equals_ignore_case(coding, "identity")) continue;
            result.has_only_identity = false;
            if (is_chunked) continue;
            const bool is_known = equals_ignore_case(coding, "gzip") ||
                                  equals_ignore_case(coding, "x-gzip") ||
                                  equals_ignore_case(coding, "deflate");
            if (!is_known) result.has_unknown = true;
            if (!result.others.empty()) result.others += ", ";
            result.others += coding;
        }
    }
    return result;
}

}  // namespace

std::expected<BodyFraming, ParseError> response_framing(const Headers& headers, int minor_version) {
    BodyFraming framing;
    TransferEncoding encoding = read_transfer_encoding(headers, framing.oddities);
    if (encoding.is_present && minor_version == 0) {
        framing.oddities.add(Oddity::transfer_encoding_in_http10);
    }
    const bool has_length = headers.contains("content-length");
    if (encoding.is_present && has_length) {
        framing.oddities.add(Oddity::length_and_transfer_encoding);
    }
    if (encoding.ends_in_chunked) {
        // Neither can be undone, so the content would stay unknown.
        if (encoding.has_unknown || encoding.wraps_chunks) {
            return std::unexpected(ParseError::bad_transfer_encoding);
        }
        framing.kind = Framing::chunked;
        framing.transfer_codings = std::move(encoding.others);
        return framing;
    }
    if (encoding.is_present && !encoding.has_only_identity) {
        if (has_length || (encoding.has_unknown && encoding.wraps_chunks)) {
            return std::unexpected(ParseError::bad_transfer_encoding);
        }
        // RFC 9112, 6.3: without a final `chunked` the body of a response runs to the close.
        framing.kind = Framing::until_close;
        const bool can_be_undone = !encoding.has_unknown && !encoding.wraps_chunks;
        if (can_be_undone) framing.transfer_codings = std::move(encoding.others);
        return framing;
    }
    const auto length = agreed_length(headers, framing.oddities);
    if (!length) return std::unexpected(length.error());
    framing.kind = *length ? Framing::length : Framing::until_close;
    framing.length = length->value_or(0);
    return framing;
}

std::expected<BodyFraming, ParseError> request_framing(const Headers& headers, int minor_version) {
    BodyFraming framing;
    const bool has_length = headers.contains("content-length");
    if (headers.contains("transfer-encoding")) {
        if (has_length) return std::unexpected(ParseError::length_and_transfer_encoding);
        // A request must end somewhere: RFC 9112, 6.3 lets a server answer any other coding with
        // 400.
        if (minor_version == 0 ||
            !equals_ignore_case(headers.joined("transfer-encoding"), "chunked")) {
            return std::unexpected(ParseError::bad_transfer_encoding);
        }
        framing.kind = Framing::chunked;
        return framing;
    }
    if (!has_length) return framing;
    const auto length = agreed_length(headers, framing.oddities);
    if (!length) return std::unexpected(length.error());
    // Repeated or empty lengths are only noted for a response, but a request must be unambiguous.
    if (framing.oddities.any()) return std::unexpected(ParseError::bad_content_length);
    framing.length = length->value_or(0);
    framing.kind = framing.length > 0 ? Framing::length : Framing::none;
    return framing;
}

bool wants_keep_alive(const Headers& headers, int minor_version) {
    // `close` wins if both are there.
    if (headers.has_token("connection", "close")) return false;
    return minor_version > 0 || headers.has_token("connection", "keep-alive");
}

}  // namespace weft::http
