#include "http/message/response_parser.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"

namespace weft::http {

namespace {

// The status line has fixed columns: `HTTP/1.1 200 OK` (RFC 9112, 4).
constexpr std::string_view kProtocol = "HTTP/";
constexpr std::size_t kStatusOffset = std::string_view("HTTP/1.1 ").size();
constexpr std::size_t kReasonOffset = kStatusOffset + std::string_view("200 ").size();

}  // namespace

void ResponseParser::start(std::string_view request_method) {
    reset();
    is_head_request_ = request_method == "HEAD";
    is_connect_request_ = request_method == "CONNECT";
    status_ = 0;
    reason_bytes_ = 0;
}

// Checks the first bytes as soon as they are there, so that a server of another protocol is
// recognized before it has filled a whole line.
std::expected<void, ParseError> ResponseParser::check_start(std::string_view seen,
                                                            std::string_view input) const {
    if (seen.empty() && input.starts_with(kProtocol)) return {};
    const auto byte = [&](std::size_t i) {
        return i < seen.size() ? seen[i] : input[i - seen.size()];
    };
    const std::size_t available = std::min(seen.size() + input.size(), kProtocol.size());
    // An empty line before the status line; MessageParser ignores it.
    if (available > 0 && byte(0) == '\r') {
        if (available == 1 || byte(1) == '\n') return {};
        return std::unexpected(ParseError::not_http);
    }
    // Content types of TLS: alert, handshake.
    if (available > 0 && (byte(0) == 0x15 || byte(0) == 0x16)) {
        return std::unexpected(ParseError::tls_record);
    }
    // In any case here: "http/1.1" is a bad status line, not another protocol.
    for (std::size_t i = 0; i < available; ++i) {
        if (to_lower(byte(i)) != to_lower(kProtocol[i])) {
            return std::unexpected(ParseError::not_http);
        }
    }
    return {};
}

std::expected<void, ParseError> ResponseParser::read_first_line(std::string_view line) {
    // RFC 9112, 4 requires a space even before an empty reason; "HTTP/1.1 200" is accepted too.
    const bool is_valid = line.starts_with("HTTP/1.") && line.size() >= kReasonOffset - 1 &&
                          is_digit(line[7]) && line[8] == ' ' && line[9] >= '1' && line[9] <= '9' &&
                          is_digit(line[10]) && is_digit(line[11]) &&
                          (line.size() < kReasonOffset || line[kReasonOffset - 1] == ' ');
    if (!is_valid) return std::unexpected(ParseError::bad_status);
    set_minor_version(line[7] == '0' ? 0 : 1);
    status_ = (line[9] - '0') * 100 + (line[10] - '0') * 10 + (line[11] - '0');
    reason_bytes_ = line.size() - std::min(line.size(), kReasonOffset);
    return {};
}

std::expected<ResponseParser::Event, ParseError> ResponseParser::end_head() {
    // We never send Upgrade, so what follows a 101 would be in a protocol that we did not choose.
    if (status_ == 101) return std::unexpected(ParseError::unasked_upgrade);
    if (status_ < 200) return Event::interim;
    auto framing = response_framing(headers(), minor_version());
    if (has_no_body()) {
        Oddities odd;
        if (framing) odd.add(framing->oddities);
        const bool claims_body =
            framing && (framing->kind == Framing::chunked || framing->length > 0);
        // Answers to HEAD and 304 may announce the length that a GET would have (RFC 9110, 8.6); a
        // 204 must not.
        if (!framing || (status_ == 204 && claims_body)) odd.add(Oddity::unexpected_body);
        add(odd);
        return Event::head;
    }
    if (!framing) return std::unexpected(framing.error());
    start_body(*std::move(framing));
    return Event::head;
}

bool ResponseParser::has_no_body() const {
    return is_head_request_ || status_ == 204 || status_ == 304 ||
           (is_connect_request_ && status_ < 300);
}

std::string_view ResponseParser::reason() const {
    if (reason_bytes_ == 0) return {};
    return raw_head().substr(kReasonOffset, reason_bytes_);
}

bool ResponseParser::keep_alive() const {
    return ended_by_itself() && framing() != Framing::until_close && !oddities().any() &&
           wants_keep_alive(headers(), minor_version());
}

}  // namespace weft::http
