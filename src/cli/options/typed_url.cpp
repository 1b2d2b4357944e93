#include "cli/options/typed_url.h"

#include <algorithm>
#include <expected>

#include <fmt/format.h>

#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "cli/options/secrets.h"

namespace weft::cli {

namespace {

// In "mailto:a@b.example" the text before the "@" is a name and no secret.
bool is_mail_like(std::string_view text) {
    constexpr std::string_view kSchemes[] = {"acct:", "im:", "mailto:", "sip:", "sips:", "xmpp:"};
    return std::ranges::any_of(kSchemes, [text](std::string_view scheme) {
        return equals_ignore_case(text.substr(0, scheme.size()), scheme);
    });
}

web::Url checked(const std::expected<web::Url, web::UrlError>& url, std::string_view text,
                 std::string_view place, std::string_view verb, std::string_view done) {
    if (!url) {
        throw UsageError(
            fmt::format("{}bad URL '{}': {}", place, shown_typed(text), describe(url.error())));
    }
    if (!url->is_http()) {
        throw UsageError(
            fmt::format("{}cannot {} '{}': it is not a web address; only http and https are {}",
                        place, verb, shown_typed(text), done));
    }
    return *url;
}

}  // namespace

bool has_scheme(std::string_view text) {
    if (text.contains("://")) return true;
    const std::size_t colon = text.find(':');
    if (colon == std::string_view::npos || text.substr(0, colon).contains('/')) return false;
    // "localhost:8080" and "example.com:x" are hosts: a digit follows the colon, or a dot is before
    // it.
    const bool is_port =
        colon + 1 < text.size() && text[colon + 1] >= '0' && text[colon + 1] <= '9';
    return !is_port && !text.substr(0, colon).contains('.');
}

std::string shown_typed(std::string_view text) {
    return escape_for_terminal(is_mail_like(text) ? std::string(text) : without_login(text));
}

web::Url parse_typed_url(const std::string& text, std::string_view verb) {
    return checked(web::Url::parse(text, web::kBoundedUrl), text, "", verb, "fetched");
}

web::Url parse_seed(const std::string& text, std::string_view place) {
    if (text.empty()) {
        throw UsageError("bad URL '': empty; write one, such as https://example.com/");
    }
    const auto url = web::Url::parse(has_scheme(text) ? text : "http://" + text, web::kBoundedUrl);
    return checked(url, text, place, "crawl", "crawled");
}

std::optional<std::string> domain_typed(std::string_view text) {
    if (text.starts_with("*.")) text.remove_prefix(1);
    if (text.starts_with('.')) text.remove_prefix(1);
    if (text.ends_with('.')) text.remove_suffix(1);
    // The URL parser would take these as the end of the host.
    if (text.find_first_of(":/?#@\\") != std::string_view::npos) return std::nullopt;
    const auto url = web::Url::parse("http://" + std::string(text), web::kBoundedUrl);
    if (!url || url->host_kind() != web::HostKind::domain) return std::nullopt;
    return std::string(url->hostname());
}

bool is_loopback(const web::Url& url) {
    const std::string_view host = url.hostname();
    return host == "localhost" || host == "[::1]" ||
           (url.host_kind() == web::HostKind::ipv4 && host.starts_with("127."));
}

}  // namespace weft::cli
