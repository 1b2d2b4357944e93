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

// Adds logins to requests: has the credentials of each origin, and remembers which scheme each
// origin asked for. Credentials that a server rejected are not sent again, except in a digest with
// another nonce. Owned by ClientParts; on the loop's thread. No I/O.
class Authenticator {
public:
    explicit Authenticator(std::vector<Credentials> credentials);

    bool empty() const { return logins_.empty(); }

    // The value of Authorization for a request to `url`. Empty: do not send the field (yet).
    std::string authorization(const web::Url& url, std::string_view method);

    // Call after a 401. `headers` are those of the response, `sent` is the Authorization of the
    // request. Returns whether to send the request again.
    bool learn(const web::Url& url, const Headers& headers, std::string_view sent);

private:
    enum class Way { none, basic, digest };
    struct Login {
        Credentials credentials;
        Way way = Way::none;
        DigestChallenge challenge;
        std::uint32_t nonce_count = 0;  // How often the challenge's nonce was used (nc).
    };

    Login* find(const web::Url& url);

    std::vector<Login> logins_;
};

// "Basic dXNlcjpwYXNz".
std::string basic_authorization(std::string_view user, std::string_view password);

}  // namespace weft::http
