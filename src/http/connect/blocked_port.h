#pragma once

#include <cstdint>

namespace weft::http {

// Whether a port belongs to a service other than the web (mail, shells, databases). A link or a
// redirect in a page must not lead us there. These are the "bad ports" of the Fetch standard, and
// those of common databases without logins (H34). A URL that the user typed may have any port.
bool is_blocked_port(std::uint16_t port);

}  // namespace weft::http
