#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "web/host/host.h"
#include "web/url/url.h"
#include "web/url/url_scheme.h"

namespace weft::web::detail {

// The standard's URL record: the parts of a URL as separate strings, already encoded. The state
// machine builds it and the setters change it. A Url is its serialisation.
struct UrlRecord {
    std::string scheme;
    Scheme kind = Scheme::other;
    std::string username;
    std::string password;
    std::optional<Host> host;
    std::optional<std::uint16_t> port;
    std::string path;  // As in url_path.h, or the text of an opaque path.
    bool opaque_path = false;
    std::optional<std::string> query;
    std::optional<std::string> fragment;

    static UrlRecord of(const Url& url);
    Url to_url() const;

    // Copies user, password, host and port.
    void copy_authority(const Url& url);
    void copy_path(const Url& url);
    void copy_query(const Url& url);

    // Whether the URL may have a user, a password or a port: not with file:, and not without a
    // host.
    bool may_have_credentials() const;
};

}  // namespace weft::web::detail
