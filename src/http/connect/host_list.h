#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "aio/net/endpoint.h"

namespace weft::http {

// The names under which a server may be asked for. A page elsewhere can point a name of its own at
// our address and have a browser talk to us; it cannot make the browser say another name (H126).
class HostList {
public:
    // Allows everything.
    HostList() = default;

    // The names given, such as "localhost" or "127.0.0.1", without ports; IPv6 with or without its
    // brackets.
    explicit HostList(std::vector<std::string> names);

    // What a server that listens at `address` is honestly called: on loopback localhost, names
    // below it, and loopback's literals; elsewhere localhost, names below it, and any literal,
    // which no page can point elsewhere. Other names are not ours to know: add() them.
    static HostList of(const aio::IpAddress& address);

    // "*" is every name.
    void add(std::string name);

    // `host` as in a Host field: case, a final dot and the port do not count.
    bool allows(std::string_view host) const;

private:
    bool allows_all_ = true;
    bool allows_literals_ = false;
    std::vector<std::string> names_;
};

}  // namespace weft::http
