#pragma once

#include <string>

#include "http/headers.h"

namespace weft::http {

// What lets a server say that nothing has changed since the last fetch (304). Taken from an answer
// and put into a later request for the same URL; nothing of it is trusted (H39): too long or
// malformed, it is as if it had not come.
struct Validators {
    std::string etag;           // Empty: none.
    std::string last_modified;  // As the server wrote it; empty: none.

    static Validators of(const Headers& response_headers);

    bool empty() const { return etag.empty() && last_modified.empty(); }

    // If-None-Match and If-Modified-Since.
    void add_to(Headers& request_headers) const;
};

}  // namespace weft::http
