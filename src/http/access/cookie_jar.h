#pragma once

#include <cstddef>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "http/message/headers.h"
#include "web/fields/cookie.h"
#include "web/url/url.h"

namespace weft::http {

// The cookies of a client: web::CookieJar with the Public Suffix List, fed from answers and asked
// for requests. Bounded as that is (H38). A value that does no I/O but reading the list once.
class CookieJar {
public:
    // Where the list is not installed, only domains without a dot count as public.
    CookieJar();

    // The value of Cookie for a request; empty: none is to be sent.
    std::string header(const web::Url& url, WallTime now);

    // Takes in the Set-Cookie fields of an answer; those that may not be set are dropped.
    void take(const web::Url& url, const Headers& headers, WallTime now);

    // Takes in a file as curl and wget keep it; gives the number of cookies it held. What is no
    // cookie, or may not be one, is passed over.
    std::size_t load(std::string_view netscape_file, WallTime now);

    // Such a file with all cookies that have not expired.
    std::string save(WallTime now) const;

    std::size_t size() const { return jar_.size(); }

private:
    web::CookieJar jar_;
};

}  // namespace weft::http
