#pragma once

#include <cstdint>
#include <string>

#include "web/url/url.h"

namespace weft::http {

// Scheme, host and port. Secrets belong to one origin and are never sent to another (H121).
struct Origin {
    std::string scheme;
    std::string host;  // As in a URL: lower case, ASCII, an IPv6 address in brackets.
    std::uint16_t port = 0;

    // REQUIRES: url.is_http()
    static Origin of(const web::Url& url) {
        return {std::string(url.scheme()), std::string(url.hostname()), *url.effective_port()};
    }

    // Whether the URL belongs to this origin. Allocates nothing, unlike of().
    bool is_of(const web::Url& url) const {
        return scheme == url.scheme() && host == url.hostname() && port == url.effective_port();
    }

    friend auto operator<=>(const Origin&, const Origin&) = default;
};

}  // namespace weft::http
