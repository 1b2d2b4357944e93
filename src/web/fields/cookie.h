#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"
#include "web/fields/date.h"

// Cookies by RFC 6265bis.
namespace weft::web {

// Why a cookie is not kept.
enum class [[nodiscard]] CookieError {
    control_character,
    too_long,
    empty,
    bad_domain,
    public_suffix,
    foreign_domain,
    not_secure,
    hides_secure_cookie,
    broken_prefix,
};
std::string_view describe(CookieError error);

enum class SameSite { unset, none, lax, strict };

// The parts of one Set-Cookie field. Parsing checks only its bytes and its length; CookieJar
// decides whether the cookie is kept.
struct SetCookie {
    std::string name;  // May be empty.
    std::string value;

    // Of each attribute the last usable value.
    std::string domain;  // Lower case, without a leading dot. Empty means this host only.
    std::string path;    // Empty means the default path of the request.
    std::optional<DateSeconds> expires;
    std::optional<std::chrono::seconds> max_age;  // At most kCookieAgeMax. Wins over `expires`.
    bool is_secure = false;
    bool is_http_only = false;
    SameSite same_site = SameSite::unset;

    static std::expected<SetCookie, CookieError> parse(std::string_view field);
};

// A cookie in a CookieJar.
struct Cookie {
    std::string name;
    std::string value;
    std::string domain;
    std::string path;
    std::optional<DateSeconds> expires;  // None for a session cookie.
    bool is_host_only = false;           // Not sent to hosts below `domain`.
    bool is_secure = false;
    bool is_http_only = false;
    SameSite same_site = SameSite::unset;
    std::uint64_t created = 0;       // Order of creation. Inherited from an overwritten cookie.
    mutable std::uint64_t used = 0;  // Order of last use. Mutable: CookieJar::header() sets it.
};

// The parts of a request's URL that cookies need, as the URL parser gives them: the host in lower
// case and ASCII (an IPv6 address in brackets), the path without the query.
struct CookieUrl {
    std::string_view host;
    std::string_view path;
    bool is_secure = false;
};

// Whether a domain is a public suffix such as "co.uk", which has no single owner.
using IsPublicSuffix = std::function<bool(std::string_view domain)>;

// The cookies of any number of hosts.
//
// It does no I/O and has no clock: the caller passes the time. It is bounded: it reads
// kCookiesPerResponseMax fields of a response and keeps kCookiesPerDomainMax cookies of a domain,
// kCookieJarCountMax cookies and kCookieJarBytesMax bytes in all. Beyond that it removes expired
// cookies first, then cookies that are not secure, then those that were not used for the longest
// time. Used by one thread.
class CookieJar {
public:
    // By default every domain without a dot is a public suffix.
    explicit CookieJar(IsPublicSuffix is_public_suffix = {});

    // Stores the cookie of one Set-Cookie field, or returns why not. A cookie that has already
    // expired removes the stored cookie of the same name, domain and path.
    std::expected<void, CookieError> set(const CookieUrl& url, std::string_view field,
                                         WallTime now);

    // Calls set() for the Set-Cookie fields of a response. Bad ones are ignored.
    void set_all(const CookieUrl& url, std::span<const std::string_view> fields, WallTime now);

    // The cookies to send, in order: longer paths first, then older cookies. The pointers are valid
    // until the next call that is not const.
    std::vector<const Cookie*> matching(const CookieUrl& url, WallTime now) const;

    // The value of the Cookie field to send, and marks these cookies as used. Empty if no cookie
    // matches; then no field is sent.
    std::string header(const CookieUrl& url, WallTime now);

    // Stores a cookie that was in a jar before, for example from a file. Its domain, path and flags
    // are taken as they are; its size, its characters and a public suffix as domain are checked. An
    // expired cookie is dropped.
    std::expected<void, CookieError> restore(Cookie cookie, WallTime now);

    // Every cookie that has not expired, by domain.
    std::vector<const Cookie*> all(WallTime now) const;

    std::size_t size() const { return count_; }
    std::size_t memory_bytes() const { return bytes_; }  // An estimate for all cookies.

private:
    using Cookies = std::vector<Cookie>;
    // The key is the domain spelled backwards, so that a domain is followed by the domains below
    // it. A tree and not a hash table, so that chosen names cannot make it slow.
    using Domains = std::map<std::string, Cookies, std::less<>>;

    std::expected<void, CookieError> keep(const CookieUrl& url, Cookie cookie, DateSeconds now);
    bool hides_secure_cookie(const Cookie& cookie) const;
    void drop(Cookies& cookies, Cookies::iterator cookie);
    void make_room(Cookies& cookies, DateSeconds now);
    void make_room_in_jar(DateSeconds now);

    IsPublicSuffix is_public_suffix_;
    Domains domains_;
    std::size_t count_ = 0;
    std::size_t bytes_ = 0;
    std::uint64_t clock_ = 0;  // Counts calls; the source of Cookie::created and Cookie::used.
};

// Whether `host` is `domain` or a name below it (RFC 6265bis section 5.1.3). An IP address is below
// no domain.
bool domain_matches(std::string_view host, std::string_view domain);

// Whether a request's path is `cookie_path` or below it (RFC 6265bis section 5.1.4).
bool path_matches(std::string_view path, std::string_view cookie_path);

// The path of a cookie without a Path attribute: the directory of the request's path.
std::string_view default_cookie_path(std::string_view path);

}  // namespace weft::web
