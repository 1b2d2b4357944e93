#include <algorithm>
#include <charconv>
#include <utility>

#include "base/bytes.h"
#include "base/limits.h"
#include "web/fields/cookie.h"

namespace weft::web {
namespace {

std::string_view trim_space(std::string_view text) {
    const std::size_t first = text.find_first_not_of(" \t");
    if (first == std::string_view::npos) return {};
    return text.substr(first, text.find_last_not_of(" \t") - first + 1);
}

// Removes the text up to the next semicolon from `rest`, with the semicolon, and returns it.
std::string_view take_part(std::string_view& rest) {
    const std::string_view part = rest.substr(0, rest.find(';'));
    rest.remove_prefix(std::min(part.size() + 1, rest.size()));
    return part;
}

// RFC 6265bis section 5.6.2: zero or less means expired at once, and a huge number means the
// maximum.
std::optional<std::chrono::seconds> parse_max_age(std::string_view value) {
    const bool is_negative = value.starts_with('-');
    const std::string_view digits = value.substr(is_negative ? 1 : 0);
    if (digits.empty() || !std::ranges::all_of(digits, [](char c) { return is_digit(c); })) {
        return std::nullopt;
    }
    const auto most = std::chrono::duration_cast<std::chrono::seconds>(limits::kCookieAgeMax);
    std::int64_t seconds = 0;
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), seconds);
    if (is_negative) return std::chrono::seconds(0);
    if (result.ec == std::errc::result_out_of_range) return most;
    return std::min(std::chrono::seconds(seconds), most);
}

SameSite parse_same_site(std::string_view value) {
    if (equals_ignore_case(value, "none")) return SameSite::none;
    if (equals_ignore_case(value, "strict")) return SameSite::strict;
    if (equals_ignore_case(value, "lax")) return SameSite::lax;
    return SameSite::unset;
}

void apply_attribute(std::string_view name, std::string_view value, SetCookie& cookie) {
    // RFC 6265bis section 5.6: an attribute over 1024 bytes is ignored, and a later attribute wins
    // over an earlier one of the same name.
    if (value.size() > limits::kCookieAttributeBytesMax) return;
    if (equals_ignore_case(name, "expires")) {
        if (const auto date = parse_cookie_date(value)) cookie.expires = *date;
    } else if (equals_ignore_case(name, "max-age")) {
        if (const auto age = parse_max_age(value)) cookie.max_age = *age;
    } else if (equals_ignore_case(name, "domain")) {
        if (value.starts_with('.')) value.remove_prefix(1);
        cookie.domain = to_lower(value);
    } else if (equals_ignore_case(name, "path")) {
        cookie.path = value.starts_with('/') ? value : "";
    } else if (equals_ignore_case(name, "secure")) {
        cookie.is_secure = true;
    } else if (equals_ignore_case(name, "httponly")) {
        cookie.is_http_only = true;
    } else if (equals_ignore_case(name, "samesite")) {
        cookie.same_site = parse_same_site(value);
    }
}

// A tab is allowed: RFC 6265bis section 5.6 refuses all other control characters.
bool is_control(char c) {
    const auto byte = static_cast<unsigned char>(c);
    return (byte < 0x20 && byte != '\t') || byte == 0x7F;
}

}  // namespace

std::string_view describe(CookieError error) {
    switch (error) {
        case CookieError::control_character: return "a control character in it";
        case CookieError::too_long: return "name and value are longer than a cookie may be";
        case CookieError::empty: return "neither name nor value";
        case CookieError::bad_domain: return "the domain is not ASCII";
        case CookieError::public_suffix: return "the domain is a public suffix";
        case CookieError::foreign_domain: return "the domain is not the host's";
        case CookieError::not_secure: return "a secure cookie over a connection that is not";
        case CookieError::hides_secure_cookie: return "it would hide a secure cookie";
        case CookieError::broken_prefix: return "its name's prefix promises what it does not keep";
    }
    std::unreachable();
}

std::expected<SetCookie, CookieError> SetCookie::parse(std::string_view field) {
    if (std::ranges::any_of(field, is_control)) {
        return std::unexpected(CookieError::control_character);
    }
    // Without "=" the whole pair is the value, and the name is empty.
    const std::string_view pair = take_part(field);
    const std::size_t equals = pair.find('=');
    const bool has_name = equals != std::string_view::npos;
    SetCookie cookie;
    cookie.name = has_name ? trim_space(pair.substr(0, equals)) : std::string_view();
    cookie.value = trim_space(pair.substr(has_name ? equals + 1 : 0));
    if (cookie.name.size() + cookie.value.size() > limits::kCookieBytesMax) {
        return std::unexpected(CookieError::too_long);
    }
    if (cookie.name.empty() && cookie.value.empty()) return std::unexpected(CookieError::empty);
    while (!field.empty()) {
        const std::string_view attribute = take_part(field);
        const std::size_t end = std::min(attribute.find('='), attribute.size());
        const std::string_view value = attribute.substr(std::min(end + 1, attribute.size()));
        apply_attribute(trim_space(attribute.substr(0, end)), trim_space(value), cookie);
    }
    return cookie;
}

}  // namespace weft::web
