#pragma once

#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "redis/node.h"

namespace weft::redis {

enum class [[nodiscard]] AddressError {
    too_long,
    unknown_scheme,
    no_host,
    bad_host,
    bad_port,
    too_many_nodes,
    user_without_password,
    bad_name,
};
std::string_view describe(AddressError error);

// How a user names a cluster: "redis://user:password@host:port,host:port/name".
//
// The nodes are those to ask first; the cluster tells the others. The port is 6379 unless it is
// given. `rediss` means TLS. "redis://:password@host" logs in as the user `default`. The name after
// the slash names a crawl: letters, digits, `-`, `_` and `.`; it may be missing. User and password
// are percent-decoded.
struct Address {
    std::vector<Node> nodes;
    bool has_tls = false;
    std::string user;
    std::string password;
    std::string name;

    static std::expected<Address, AddressError> parse(std::string_view text);

    // For messages: without user and password.
    std::string to_string() const;
};

}  // namespace weft::redis
