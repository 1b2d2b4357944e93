#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "http/access/credentials.h"
#include "http/access/digest.h"
#include "http/message/headers.h"

namespace weft::http {

// Logs in with the credentials of each origin, and remembers how each wants it. Credentials that
// were shown and refused are not shown again, but in a digest with another nonce.
class Authenticator {
public:
    explicit Authenticator(std::vector<Credentials> credentials);

    bool empty() const { return logins_.empty(); }

    // The value of Authorization for a request to `url`; empty: none is to be sent (yet).
    std::string authorization(const web::Url& url, std::string_view method);

    // A 401 came, to a request that had `sent` as its Authorization. Whether to ask again.
    bool learn(const web::Url& url, const Headers& headers, std::string_view sent);

private:
    enum class Way { none, basic, digest };
    struct Login {
        Credentials credentials;
        Way way = Way::none;
        DigestChallenge challenge;
        std::uint32_t nonce_count = 0;
    };

    Login* find(const web::Url& url);

    std::vector<Login> logins_;
};

// "Basic dXNlcjpwYXNz".
std::string basic_authorization(std::string_view user, std::string_view password);

}  // namespace weft::http
