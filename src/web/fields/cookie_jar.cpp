#include <algorithm>
#include <iterator>
#include <tuple>
#include <utility>

#include "base/bytes.h"
#include "base/limits.h"
#include "web/fields/cookie.h"

namespace weft::web {
namespace {

bool is_ip_address(std::string_view host) {
    if (host.starts_with('[')) return true;
    // The URL parser writes every IPv4 address as four numbers and refuses any other host that ends
    // in a number, so the last label is enough.
    const std::size_t dot = host.rfind('.');
    const std::string_view last = host.substr(dot == std::string_view::npos ? 0 : dot + 1);
    return !last.empty() && std::ranges::all_of(last, [](char c) { return is_digit(c); });
}

bool has_expired(const Cookie& cookie, DateSeconds now) {
    return cookie.expires && *cookie.expires <= now;
}

bool has_prefix(std::string_view name) {
    return starts_with_ignore_case(name, "__secure-") || starts_with_ignore_case(name, "__host-") ||
           starts_with_ignore_case(name, "__http-");
}

// Whether the cookie has the attributes that the prefix of its name demands (RFC 6265bis section
// 4.1.3). Without a name, the value must not look like a prefixed name: servers could not tell them
// apart.
bool keeps_its_prefix(const Cookie& cookie, bool has_path_attribute) {
    if (cookie.name.empty()) return !has_prefix(cookie.value);
    if (!has_prefix(cookie.name)) return true;
    if (!cookie.is_secure) return false;
    const bool is_bound_to_host = cookie.is_host_only && has_path_attribute && cookie.path == "/";
    if (starts_with_ignore_case(cookie.name, "__host-http-")) {
        return is_bound_to_host && cookie.is_http_only;
    }
    if (starts_with_ignore_case(cookie.name, "__host-")) return is_bound_to_host;
    if (starts_with_ignore_case(cookie.name, "__http-")) return cookie.is_http_only;
    return true;
}

// Max-Age wins over Expires, and both are limited to kCookieAgeMax (RFC 6265bis section 5.5).
std::optional<DateSeconds> expiry_of(const SetCookie& parsed, DateSeconds now) {
    const auto most = now + std::chrono::duration_cast<std::chrono::seconds>(limits::kCookieAgeMax);
    if (parsed.max_age) return std::min(now + *parsed.max_age, most);
    if (parsed.expires) return std::min(*parsed.expires, most);
    return std::nullopt;
}

std::string backwards(std::string_view domain) {
    return {domain.rbegin(), domain.rend()};
}

// The parent of a domain that is spelled backwards, or nothing.
std::string_view parent_of(std::string_view key) {
    const std::size_t dot = key.rfind('.');
    return dot == std::string_view::npos ? std::string_view() : key.substr(0, dot);
}

// An estimate of the memory of a cookie with its place in the jar.
std::size_t bytes_of(const Cookie& cookie) {
    return 2 * sizeof(Cookie) + cookie.name.size() + cookie.value.size() +
           2 * cookie.domain.size() + cookie.path.size();
}

// Cookies with the smallest value are removed first: expired, then not secure, then least recently
// used.
auto eviction_order(const Cookie& cookie, DateSeconds now) {
    return std::tuple(!has_expired(cookie, now), cookie.is_secure, cookie.used);
}

}  // namespace

bool domain_matches(std::string_view host, std::string_view domain) {
    if (host == domain) return true;
    return host.size() > domain.size() && host.ends_with(domain) &&
           host[host.size() - domain.size() - 1] == '.' && !is_ip_address(host);
}

bool path_matches(std::string_view path, std::string_view cookie_path) {
    if (!path.starts_with(cookie_path)) return false;
    return path.size() == cookie_path.size() || cookie_path.ends_with('/') ||
           path[cookie_path.size()] == '/';
}

std::string_view default_cookie_path(std::string_view path) {
    const std::size_t slash = path.rfind('/');
    if (!path.starts_with('/') || slash == 0) return "/";
    return path.substr(0, slash);
}

CookieJar::CookieJar(IsPublicSuffix is_public_suffix)
    : is_public_suffix_(std::move(is_public_suffix)) {
    if (!is_public_suffix_) {
        is_public_suffix_ = [](std::string_view domain) { return !domain.contains('.'); };
    }
}

std::expected<void, CookieError> CookieJar::set(const CookieUrl& url, std::string_view field,
                                                WallTime now) {
    std::expected<SetCookie, CookieError> parsed = SetCookie::parse(field);
    if (!parsed) return std::unexpected(parsed.error());
    const bool is_ascii = std::ranges::all_of(
        parsed->domain, [](char c) { return static_cast<signed char>(c) >= 0; });
    if (!is_ascii) return std::unexpected(CookieError::bad_domain);

    // RFC 6265bis section 5.7: a public suffix as domain is refused, unless it is the host itself;
    // then the cookie is for that host only. "com." is a public suffix as "com" is.
    std::string_view bare = parsed->domain;
    if (bare.ends_with('.')) bare.remove_suffix(1);
    if (!parsed->domain.empty() && !is_ip_address(bare) && is_public_suffix_(bare)) {
        if (parsed->domain != url.host) return std::unexpected(CookieError::public_suffix);
        parsed->domain.clear();
    }
    const bool is_host_only = parsed->domain.empty();
    if (!is_host_only && !domain_matches(url.host, parsed->domain)) {
        return std::unexpected(CookieError::foreign_domain);
    }
    const DateSeconds now_seconds = std::chrono::floor<std::chrono::seconds>(now);
    const bool has_path = !parsed->path.empty();
    Cookie cookie{
        .name = std::move(parsed->name),
        .value = std::move(parsed->value),
        .domain = is_host_only ? std::string(url.host) : std::move(parsed->domain),
        .path = has_path ? std::move(parsed->path) : std::string(default_cookie_path(url.path)),
        .expires = expiry_of(*parsed, now_seconds),
        .is_host_only = is_host_only,
        .is_secure = parsed->is_secure,
        .is_http_only = parsed->is_http_only,
        .same_site = parsed->same_site,
    };
    if (!keeps_its_prefix(cookie, has_path)) return std::unexpected(CookieError::broken_prefix);
    return keep(url, std::move(cookie), now_seconds);
}

std::expected<void, CookieError> CookieJar::keep(const CookieUrl& url, Cookie cookie,
                                                 DateSeconds now) {
    // RFC 6265bis section 5.7: plain http can neither set a secure cookie nor overlay one.
    if (cookie.is_secure && !url.is_secure) return std::unexpected(CookieError::not_secure);
    if (!cookie.is_secure && !url.is_secure && hides_secure_cookie(cookie)) {
        return std::unexpected(CookieError::hides_secure_cookie);
    }
    cookie.created = cookie.used = ++clock_;
    const bool is_gone = has_expired(cookie, now);
    std::string key = backwards(cookie.domain);
    const auto place = domains_.find(key);
    if (place != domains_.end()) {
        Cookies& cookies = place->second;
        const auto old = std::ranges::find_if(cookies, [&](const Cookie& c) {
            return c.name == cookie.name && c.path == cookie.path &&
                   c.is_host_only == cookie.is_host_only;
        });
        if (old != cookies.end()) {
            cookie.created = old->created;
            drop(cookies, old);
            if (cookies.empty()) domains_.erase(place);
        }
    }
    if (is_gone) return {};
    // Room is made before the reference into domains_ is taken: making room may erase domains.
    const std::size_t bytes = bytes_of(cookie);
    while (count_ > 0 &&
           (count_ >= limits::kCookieJarCountMax || bytes_ + bytes > limits::kCookieJarBytesMax)) {
        make_room_in_jar(now);
    }
    Cookies& cookies = domains_[std::move(key)];
    if (cookies.size() >= limits::kCookiesPerDomainMax) make_room(cookies, now);
    cookies.push_back(std::move(cookie));
    ++count_;
    bytes_ += bytes;
    return {};
}

// Whether a secure cookie of the same name and an overlapping path exists at this domain, above it
// or below it.
bool CookieJar::hides_secure_cookie(const Cookie& cookie) const {
    const auto is_hidden = [&](const Cookie& old) {
        return old.is_secure && old.name == cookie.name && path_matches(cookie.path, old.path);
    };
    const std::string key = backwards(cookie.domain);
    for (std::string_view above = key; !above.empty(); above = parent_of(above)) {
        const auto found = domains_.find(above);
        if (found != domains_.end() && std::ranges::any_of(found->second, is_hidden)) return true;
    }
    if (cookie.is_host_only) return false;
    const std::string below = key + '.';
    for (auto it = domains_.lower_bound(below); it != domains_.end(); ++it) {
        if (!it->first.starts_with(below)) break;
        if (std::ranges::any_of(it->second, is_hidden)) return true;
    }
    return false;
}

void CookieJar::drop(Cookies& cookies, Cookies::iterator cookie) {
    bytes_ -= bytes_of(*cookie);
    --count_;
    cookies.erase(cookie);
}

void CookieJar::make_room(Cookies& cookies, DateSeconds now) {
    const auto worst = std::ranges::min_element(
        cookies, {}, [&](const Cookie& cookie) { return eviction_order(cookie, now); });
    drop(cookies, worst);
}

// Removes a tenth of the cookies at once, so that a full jar is not searched for every new cookie.
void CookieJar::make_room_in_jar(DateSeconds now) {
    std::vector<std::tuple<bool, bool, std::uint64_t>> order;
    order.reserve(count_);
    for (const auto& [domain, cookies] : domains_) {
        for (const Cookie& cookie : cookies) order.push_back(eviction_order(cookie, now));
    }
    const auto cut = order.begin() + static_cast<std::ptrdiff_t>(order.size() / 10);
    std::ranges::nth_element(order, cut);
    const auto limit = *cut;
    for (auto it = domains_.begin(); it != domains_.end();) {
        count_ -= std::erase_if(it->second, [&](const Cookie& cookie) {
            const bool goes = eviction_order(cookie, now) <= limit;
            if (goes) bytes_ -= bytes_of(cookie);
            return goes;
        });
        it = it->second.empty() ? domains_.erase(it) : std::next(it);
    }
}

void CookieJar::set_all(const CookieUrl& url, std::span<const std::string_view> fields,
                        WallTime now) {
    fields = fields.first(std::min(fields.size(), limits::kCookiesPerResponseMax));
    for (std::string_view field : fields) {
        if (!set(url, field, now)) continue;  // A bad cookie is ignored.
    }
}

std::vector<const Cookie*> CookieJar::matching(const CookieUrl& url, WallTime now) const {
    const DateSeconds now_seconds = std::chrono::floor<std::chrono::seconds>(now);
    const std::string_view path = url.path.empty() ? "/" : url.path;
    std::vector<const Cookie*> out;
    const std::string own_key = backwards(url.host);
    // RFC 6265bis section 5.8.3: the host's own cookies, then those of each domain above it.
    const bool has_parents = !is_ip_address(url.host);
    for (std::string_view key = own_key; !key.empty();
         key = has_parents ? parent_of(key) : std::string_view()) {
        const auto found = domains_.find(key);
        if (found == domains_.end()) continue;
        const bool is_own = key.size() == own_key.size();
        for (const Cookie& cookie : found->second) {
            const bool matches =
                (is_own || !cookie.is_host_only) && (url.is_secure || !cookie.is_secure) &&
                !has_expired(cookie, now_seconds) && path_matches(path, cookie.path);
            if (matches) out.push_back(&cookie);
        }
    }
    std::ranges::sort(out, [](const Cookie* a, const Cookie* b) {
        return std::tuple(b->path.size(), a->created) < std::tuple(a->path.size(), b->created);
    });
    return out;
}

std::expected<void, CookieError> CookieJar::restore(Cookie cookie, WallTime now) {
    if (cookie.name.empty() && cookie.value.empty()) return std::unexpected(CookieError::empty);
    if (cookie.name.size() + cookie.value.size() > limits::kCookieBytesMax) {
        return std::unexpected(CookieError::too_long);
    }
    const auto is_control = [](char c) {
        return static_cast<unsigned char>(c) < 0x20 || static_cast<unsigned char>(c) == 0x7F;
    };
    for (const std::string* text : {&cookie.name, &cookie.value, &cookie.domain, &cookie.path}) {
        if (std::ranges::any_of(*text, is_control)) {
            return std::unexpected(CookieError::control_character);
        }
    }
    cookie.domain = to_lower(cookie.domain);
    const bool is_host =
        !cookie.domain.starts_with('.') && std::ranges::all_of(cookie.domain, [](char c) {
            return is_alnum(c) || std::string_view("-._:[]").contains(c);
        });
    if (cookie.domain.empty() || !is_host) return std::unexpected(CookieError::bad_domain);
    if (is_ip_address(cookie.domain)) cookie.is_host_only = true;
    if (!cookie.is_host_only && is_public_suffix_(cookie.domain)) {
        return std::unexpected(CookieError::public_suffix);
    }
    if (!cookie.path.starts_with('/')) cookie.path = "/";
    // As if set over https: the jar that had it before checked this.
    const std::string domain = cookie.domain;
    return keep({.host = domain, .path = "/", .is_secure = true}, std::move(cookie),
                std::chrono::floor<std::chrono::seconds>(now));
}

std::vector<const Cookie*> CookieJar::all(WallTime now) const {
    const DateSeconds now_seconds = std::chrono::floor<std::chrono::seconds>(now);
    std::vector<const Cookie*> out;
    for (const auto& [domain, cookies] : domains_) {
        for (const Cookie& cookie : cookies) {
            if (!has_expired(cookie, now_seconds)) out.push_back(&cookie);
        }
    }
    return out;
}

std::string CookieJar::header(const CookieUrl& url, WallTime now) {
    std::string out;
    ++clock_;
    for (const Cookie* cookie : matching(url, now)) {
        cookie->used = clock_;
        if (!out.empty()) out += "; ";
        if (!cookie->name.empty()) out += cookie->name + '=';
        out += cookie->value;
    }
    return out;
}

}  // namespace weft::web
