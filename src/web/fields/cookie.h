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

// One Set-Cookie field, taken apart; nothing is judged yet but its bytes and its length.
struct SetCookie {
    std::string name;  // May be empty.
    std::string value;

    // The attributes' last usable values.
    std::string domain;  // Lower case, without a leading dot; empty: the host alone.
    std::string path;    // Empty: the default path of the request.
    std::optional<DateSeconds> expires;
    std::optional<std::chrono::seconds> max_age;  // At most kCookieAgeMax; outdoes `expires`.
    bool is_secure = false;
    bool is_http_only = false;
    SameSite same_site = SameSite::unset;

    static std::expected<SetCookie, CookieError> parse(std::string_view field);
};

// A kept cookie.
struct Cookie {
    std::string name;
    std::string value;
    std::string domain;
    std::string path;
    std::optional<DateSeconds> expires;  // None: for the session.
    bool is_host_only = false;
    bool is_secure = false;
    bool is_http_only = false;
    SameSite same_site = SameSite::unset;
    std::uint64_t created = 0;       // Order of creation; an overwritten cookie's is inherited.
    mutable std::uint64_t used = 0;  // Order of last use.
};

// The parts of a request's URL that matter, as the URL parser gives them: the host in lower case
// and ASCII (an IPv6 address in brackets), the path without query.
struct CookieUrl {
    std::string_view host;
    std::string_view path;
    bool is_secure = false;
};

// Whether a domain such as "co.uk" belongs to no single owner.
using IsPublicSuffix = std::function<bool(std::string_view domain)>;

// The cookies of any number of hosts.
//
// A value that does no I/O and knows no clock. Bounded: kCookiesPerResponseMax fields of a response
// are looked at, kCookiesPerDomainMax cookies of a domain and kCookieJarCountMax in all are kept,
// with no more than kCookieJarBytesMax; past that expired ones go first, then those not secure,
// then those longest unused. Used by one thread.
class CookieJar {
public:
    // Without a list every domain without a dot is a public suffix.
    explicit CookieJar(IsPublicSuffix is_public_suffix = {});

    // Keeps the cookie of one Set-Cookie field, or says why not. A cookie that has expired already
    // removes the one of its name.
    std::expected<void, CookieError> set(const CookieUrl& url, std::string_view field,
                                         WallTime now);

    // All Set-Cookie fields of a response.
    void set_all(const CookieUrl& url, std::span<const std::string_view> fields, WallTime now);

    // The cookies to send, in their order: longer paths first, then older ones. The pointers are
    // valid until the next call that is not const.
    std::vector<const Cookie*> matching(const CookieUrl& url, WallTime now) const;

    // The value of the Cookie field to send; empty: none is to be sent.
    std::string header(const CookieUrl& url, WallTime now);

    // Keeps a cookie that a jar had before, as from a file: its domain, path and flags are taken as
    // they are, its size and its domain's publicity are judged. One that has expired is dropped.
    std::expected<void, CookieError> restore(Cookie cookie, WallTime now);

    // Every cookie that has not expired, by domain.
    std::vector<const Cookie*> all(WallTime now) const;

    std::size_t size() const { return count_; }
    std::size_t memory_bytes() const { return bytes_; }  // Of all cookies, about.

private:
    using Cookies = std::vector<Cookie>;
    // By the domain read backwards: what lies below a domain comes right after it. Ordered, so that
    // no choice of names makes it slow.
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
    std::uint64_t clock_ = 0;
};

// Whether `host` is `domain` or lies below it; an IP address lies below nothing.
bool domain_matches(std::string_view host, std::string_view domain);

// Whether a request's path is `cookie_path` or lies below it.
bool path_matches(std::string_view path, std::string_view cookie_path);

// The path of a cookie that names none: the request's directory.
std::string_view default_cookie_path(std::string_view path);

}  // namespace weft::web
