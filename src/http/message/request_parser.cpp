#include "http/message/request_parser.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace weft::http {

void RequestParser::start() {
    reset();
    method_bytes_ = 0;
    target_bytes_ = 0;
}

// Refuses at the first byte what cannot become a request line, such as a TLS handshake.
std::expected<void, ParseError> RequestParser::check_start(std::string_view seen,
                                                           std::string_view input) const {
    if (!seen.empty() || input.empty()) return {};
    const char first = input.front();
    // Content types of TLS: handshake, alert.
    if (first == 0x16 || first == 0x15) return std::unexpected(ParseError::tls_record);
    if (first != '\r' && !is_token_byte(first)) {
        return std::unexpected(ParseError::bad_request_line);
    }
    return {};
}

std::expected<void, ParseError> RequestParser::read_first_line(std::string_view line) {
    // Exactly one space between the parts (RFC 9112, 3). A further space ends up in the version,
    // which then is not 8 bytes long.
    const auto is_visible = [](char c) { return c > 0x20 && c < 0x7F; };
    const std::size_t first = line.find(' ');
    const std::size_t second = line.find(' ', first + 1);
    if (first == std::string_view::npos || second == std::string_view::npos) {
        return std::unexpected(ParseError::bad_request_line);
    }
    const std::string_view method = line.substr(0, first);
    const std::string_view target = line.substr(first + 1, second - first - 1);
    const std::string_view version = line.substr(second + 1);
    if (method.empty() || !std::ranges::all_of(method, is_token_byte) || target.empty() ||
        !std::ranges::all_of(target, is_visible) || !version.starts_with("HTTP/")) {
        return std::unexpected(ParseError::bad_request_line);
    }
    // A version of its own error: the server answers 505 in place of 400.
    if (version.size() != 8 || !version.starts_with("HTTP/1.") || !is_digit(version[7])) {
        return std::unexpected(ParseError::bad_version);
    }
    method_bytes_ = method.size();
    target_bytes_ = target.size();
    set_minor_version(version[7] == '0' ? 0 : 1);
    return {};
}

std::expected<RequestParser::Event, ParseError> RequestParser::end_head() {
    // RFC 9112, 3.2: HTTP/1.1 requires exactly one Host; HTTP/1.0 did not have it yet.
    const auto host_count = std::ranges::distance(headers().get_all("host"));
    if (host_count > 1 || (host_count == 0 && minor_version() > 0)) {
        return std::unexpected(ParseError::bad_host);
    }
    auto framing = request_framing(headers(), minor_version());
    if (!framing) return std::unexpected(framing.error());
    start_body(*std::move(framing));
    return Event::head;
}

std::string_view RequestParser::target() const {
    if (target_bytes_ == 0) return {};
    return raw_head().substr(method_bytes_ + 1, target_bytes_);
}

bool RequestParser::keep_alive() const {
    return ended_by_itself() && wants_keep_alive(headers(), minor_version());
}

}  // namespace weft::http
