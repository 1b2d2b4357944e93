#include "http/message/request_writer.h"

#include <algorithm>
#include <utility>

#include "base/bytes.h"
#include "http/message/field_line.h"

namespace weft::http {

namespace {

// The loop does not stop at the first bad byte, so that the compiler can vectorize it.
template <class IsBad>
bool has_none(std::string_view text, IsBad is_bad) {
    bool found = false;
    for (const char c : text) found |= is_bad(static_cast<unsigned char>(c));
    return !found;
}

bool is_token(std::string_view text) {
    return !text.empty() && std::ranges::all_of(text, is_token_byte);
}

bool is_visible(std::string_view text) {
    return !text.empty() && has_none(text, [](unsigned char c) { return c <= 0x20 || c >= 0x7F; });
}

bool is_field_value(std::string_view value) {
    // `&` and `|` in place of `&&` and `||` for the same reason: no branches in the loop.
    return trim(value).size() == value.size() && has_none(value, [](unsigned char c) {
               return static_cast<bool>(((c < 0x20) & (c != '\t')) | (c == 0x7F));
           });
}

std::expected<void, RequestError> check(const RequestHead& head) {
    if (!is_token(head.method)) return std::unexpected(RequestError::bad_method);
    if (!is_visible(head.target) || head.target.contains('#')) {
        return std::unexpected(RequestError::bad_target);
    }
    std::size_t host_count = 0;
    for (const Field field : head.headers) {
        if (!is_token(field.name)) return std::unexpected(RequestError::bad_field_name);
        if (!is_field_value(field.value)) return std::unexpected(RequestError::bad_field_value);
        if (equals_ignore_case(field.name, "host")) {
            ++host_count;
            if (!is_visible(field.value)) return std::unexpected(RequestError::bad_host);
        }
    }
    if (host_count != 1) return std::unexpected(RequestError::bad_host);
    if (head.headers.contains("content-length") && head.headers.contains("transfer-encoding")) {
        return std::unexpected(RequestError::ambiguous_length);
    }
    return {};
}

}  // namespace

std::string_view describe(RequestError error) {
    switch (error) {
        case RequestError::bad_method: return "method is not a token";
        case RequestError::bad_target: return "target has a space, a control byte or a fragment";
        case RequestError::bad_host: return "Host is missing, repeated or not visible ASCII";
        case RequestError::bad_field_name: return "field name is not a token";
        case RequestError::bad_field_value: return "field value has a control byte or outer space";
        case RequestError::ambiguous_length: return "both Content-Length and Transfer-Encoding";
    }
    std::unreachable();
}

std::expected<void, RequestError> write_request_head(const RequestHead& head, std::string& out) {
    // All checks come before the first byte is appended, so that `out` never has half a head.
    const auto checked = check(head);
    if (!checked) return checked;
    out.append(head.method).append(" ").append(head.target).append(" HTTP/1.1\r\n");
    for (const Field field : head.headers) {
        out.append(field.name).append(": ").append(field.value).append("\r\n");
    }
    out += "\r\n";
    return {};
}

}  // namespace weft::http
