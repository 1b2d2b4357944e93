#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/message/headers.h"
#include "web/fields/cookie.h"
#include "web/url/url.h"

namespace weft::http {

// The cookies of a client: web::CookieJar with the Public Suffix List. Responses fill it, requests
// read from it. It has the bounds of web::CookieJar (H38). Its only I/O is reading the list once,
// in the constructor. Used on one thread.
class ClientCookies {
public:
    // If the list is not installed, only domains without a dot count as public suffixes.
    ClientCookies();

    // The value of Cookie for a request. Empty: do not send the field.
    std::string header(const web::Url& url, WallTime now);

    // Stores the cookies of a response's Set-Cookie fields. Those that its host may not set are
    // dropped.
    void take(const web::Url& url, const Headers& headers, WallTime now);

    // Loads the text of a cookie file of curl or wget, and returns the number of cookies. Lines
    // that are not cookies, or that may not be stored, are ignored.
    std::size_t load(std::string_view netscape_file, WallTime now);

    // The text of such a file with all cookies that have not expired.
    std::string save(WallTime now) const;

    std::size_t size() const { return jar_.size(); }

private:
    web::CookieJar jar_;
};

}  // namespace weft::http
