#pragma once

#include <string>

#include "http/connect/origin.h"

namespace weft::http {

// Who we are to one origin, and to no other. The client adds them to a request at the moment it is
// sent, so no redirect and no retry can carry them elsewhere.
struct Credentials {
    Origin origin;

    // Shown when the server asks (401), by the best way it offers: digest before basic.
    std::string user;
    std::string password;

    // Or a token that goes with every request; `user` is then of no use.
    std::string bearer_token;

    // Basic with the first request already, as curl does: saves a round trip, and shows the
    // password to a server that might have been content with a digest.
    bool unasked = false;
};

}  // namespace weft::http
