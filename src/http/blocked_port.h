#pragma once

#include <cstdint>

namespace weft::http {

// Ports of other protocols, which a request of ours could be made to speak to (H34): those of the
// Fetch standard's list ("port blocking") and some databases'.
bool is_blocked_port(std::uint16_t port);

}  // namespace weft::http
