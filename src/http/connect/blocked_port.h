#pragma once

#include <cstdint>

namespace weft::http {

// Whether a port belongs to something that is not a web server (mail, shells, databases), where a
// link or redirect in a page must not lead us: the "bad ports" of the Fetch standard, and those of
// common stores without logins (H34). What the user typed may have any port.
bool is_blocked_port(std::uint16_t port);

}  // namespace weft::http
