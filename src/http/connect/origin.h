#pragma once

#include <cstdint>
#include <string>

#include "web/url/url.h"

namespace weft::http {

// Scheme, host and port: within one of these a secret may travel, from one to another never (H121).
struct Origin {
    std::string scheme;
    std::string host;  // As in a URL: lower case, ASCII, an IPv6 address in brackets.
    std::uint16_t port = 0;

    // REQUIRES: url.is_http()
    static Origin of(const web::Url& url) {
        return {std::string(url.scheme()), std::string(url.hostname()), *url.effective_port()};
    }

    // Without making an Origin of it.
    bool is_of(const web::Url& url) const {
        return scheme == url.scheme() && host == url.hostname() && port == url.effective_port();
    }

    friend auto operator<=>(const Origin&, const Origin&) = default;
};

}  // namespace weft::http
