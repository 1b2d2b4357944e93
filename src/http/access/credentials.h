#pragma once

#include <string>

#include "http/connect/origin.h"

namespace weft::http {

// Credentials for one origin. They are never sent anywhere else: the client adds them at the moment
// when it sends a request, so that no redirect and no retry can carry them to another origin.
struct Credentials {
    Origin origin;

    // Sent when the server asks (401), by the best scheme that it offers: digest before basic.
    std::string user;
    std::string password;

    // A token that is sent with every request. If it is set, `user` and `password` are not used.
    std::string bearer_token;

    // Send Basic with the first request already, as curl does. That saves a round trip, but shows
    // the password to a server that might have asked for a digest.
    bool unasked = false;
};

}  // namespace weft::http
