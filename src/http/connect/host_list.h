#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aio/net/endpoint.h"

namespace weft::http {

// The host names that a server answers to. This stops DNS rebinding (H126): an attacker can point
// a name at our address, so that a browser talks to us, but the browser then sends that name in
// Host, and it is not in this list.
class HostList {
public:
    // Allows every name.
    HostList() = default;

    // Allows these names, such as "localhost" or "127.0.0.1", without ports; IPv6 with or without
    // brackets.
    explicit HostList(std::vector<std::string> names);

    // The names for a server that listens at `address`: always localhost, the names below it, and
    // the literals of loopback and of the address. Beyond loopback any address literal is allowed
    // too, because no page can make a literal lead elsewhere. Other names have to be added with
    // add().
    static HostList of(const aio::IpAddress& address);

    // "*" allows every name.
    void add(std::string name);

    // `host` is the value of a Host field. Case, a final dot and the port do not count.
    bool allows(std::string_view host) const;

private:
    bool allows_all_ = true;
    bool allows_literals_ = false;
    std::vector<std::string> names_;
};

}  // namespace weft::http
