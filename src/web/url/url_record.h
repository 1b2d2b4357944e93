#pragma once

#include <cstdint>
#include <optional>
#include <string>

#include "web/host/host.h"
#include "web/url/url.h"
#include "web/url/url_scheme.h"

namespace weft::web::detail {

// The standard's URL record: the parts apart, all encoded already. What the state machine builds
// and the setters change; a Url is its serialisation.
struct UrlRecord {
    std::string scheme;
    Scheme kind = Scheme::other;
    std::string username;
    std::string password;
    std::optional<Host> host;
    std::optional<std::uint16_t> port;
    std::string path;  // See url_path.h; an opaque path is its text.
    bool opaque_path = false;
    std::optional<std::string> query;
    std::optional<std::string> fragment;

    static UrlRecord of(const Url& url);
    Url to_url() const;

    // From `url`: user, password, host and port.
    void copy_authority(const Url& url);
    void copy_path(const Url& url);
    void copy_query(const Url& url);

    // file: has no users and no ports, nor has an empty host.
    bool may_have_credentials() const;
};

}  // namespace weft::web::detail
