#include "http/access/cookie_jar.h"

#include <memory>
#include <vector>

#include "base/error.h"
#include "http/access/netscape_cookies.h"
#include "web/host/public_suffix.h"

namespace weft::http {

namespace {

// The Public Suffix List keeps a site from setting cookies for all of "co.uk" (RFC 6265, 5.3). If
// it cannot be read, web::CookieJar falls back to its own rule.
web::IsPublicSuffix public_suffixes() {
    try {
        auto list = std::make_shared<const web::PublicSuffixList>(web::PublicSuffixList::load());
        return [list = std::move(list)](std::string_view domain) {
            return !domain.contains('.') || list->suffix(domain) == domain;
        };
    } catch (const Error&) {
        return {};
    }
}

web::CookieUrl place_of(const web::Url& url) {
    return {.host = url.hostname(), .path = url.pathname(), .is_secure = url.scheme() == "https"};
}

}  // namespace

ClientCookies::ClientCookies() : jar_(public_suffixes()) {}

std::string ClientCookies::header(const web::Url& url, WallTime now) {
    return jar_.header(place_of(url), now);
}

void ClientCookies::take(const web::Url& url, const Headers& headers, WallTime now) {
    // Each field is one cookie: Set-Cookie must not be joined (RFC 9110, 5.3).
    std::vector<std::string_view> fields;
    for (const std::string_view field : headers.get_all("Set-Cookie")) fields.push_back(field);
    jar_.set_all(place_of(url), fields, now);
}

std::size_t ClientCookies::load(std::string_view netscape_file, WallTime now) {
    std::size_t count = 0;
    for (web::Cookie& cookie : parse_netscape_cookies(netscape_file)) {
        if (jar_.restore(std::move(cookie), now)) ++count;
    }
    return count;
}

std::string ClientCookies::save(WallTime now) const {
    return to_netscape_cookies(jar_.all(now));
}

}  // namespace weft::http
