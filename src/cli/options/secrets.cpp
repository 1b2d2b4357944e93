#include "cli/options/secrets.h"

#include <algorithm>

#include "base/bytes.h"
#include "http/access/open_field.h"
#include "web/url/url.h"

namespace weft::cli {
namespace {

// Options whose value is always a secret, and options whose value is a URL that may hold one.
constexpr std::string_view kAlways[] = {"password", "oauth2-bearer"};
constexpr std::string_view kUrls[] = {"url", "urls", "proxy", "cluster"};

bool is_one_of(auto& names, std::string_view option) {
    return std::ranges::find(names, option) != std::end(names);
}

std::string shown_field(std::string_view text) {
    const std::size_t colon = text.find(':');
    // Without a field name it is a typing error, and the secret may be anywhere in the text.
    if (colon == 0 || colon == std::string_view::npos) return std::string(http::kRemoved);
    const std::string_view name = trim(text.substr(0, colon));
    if (http::is_open_field(name)) return std::string(text);
    return std::string(name).append(": ").append(http::kRemoved);
}

std::string shown_user(std::string_view text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos) return std::string(text);
    return std::string(text.substr(0, colon + 1)).append(http::kRemoved);
}

}  // namespace

std::string without_login(std::string_view url) {
    if (!url.contains('@')) return std::string(url);
    // A proxy may be typed without a scheme: "user:password@host:3128".
    const std::size_t scheme_end = url.find("://");
    const std::size_t begin = scheme_end == std::string_view::npos ? 0 : scheme_end + 3;
    const auto parsed = web::Url::parse(begin == 0 ? "http://" + std::string(url) : url);
    // If the text is no URL, everything up to the last "@" may be secret.
    std::size_t end = url.rfind('@');
    if (parsed) {
        if (!parsed->has_credentials()) return std::string(url);
        // In a valid URL the login ends at the last "@" of the authority (WHATWG URL, "authority
        // state").
        end = url.substr(0, url.find_first_of("/\\?#", begin)).rfind('@');
        if (end == std::string_view::npos) end = url.rfind('@');
    }
    return std::string(url.substr(0, begin)).append(http::kRemoved).append(url.substr(end));
}

std::string shown_value(std::string_view option, std::string_view value) {
    if (value.empty()) return {};
    if (option == "data") {  // "@FILE" names a file and is no secret.
        return std::string(value.starts_with('@') ? value : http::kRemoved);
    }
    if (is_one_of(kAlways, option)) return std::string(http::kRemoved);
    if (is_one_of(kUrls, option)) return without_login(value);
    if (option == "header") return shown_field(value);
    if (option == "user") return shown_user(value);
    if (option == "load-cookies" && value.contains('=')) return std::string(http::kRemoved);
    return std::string(value);
}

bool is_secret(std::string_view option, std::string_view value) {
    return shown_value(option, value) != value;
}

}  // namespace weft::cli
