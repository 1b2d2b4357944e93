#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "base/hash.h"
#include "http/access/challenge.h"

// Digest access authentication (RFC 7616): proves that we know the password without sending it.
namespace weft::http {

// A challenge of a server: what the digest has to be computed from.
struct DigestChallenge {
    std::string realm;
    std::string nonce;
    std::optional<std::string> opaque;
    DigestAlgorithm algorithm = DigestAlgorithm::md5;  // Or sha256.
    bool is_session = false;                           // The -sess variants.
    bool has_algorithm = false;  // The server named the algorithm, so our answer names it too.
    bool has_qop = false;        // `auth` is offered. Without it: the old form of RFC 2069.
    bool is_stale = false;       // Only the nonce was too old; the password may be right.
    bool wants_user_hash = false;

    // Nothing if the challenge is not a digest, needs what we do not support (only auth-int,
    // SHA-512-256), or contains control bytes, which we could not send back in a header.
    static std::optional<DigestChallenge> of(const Challenge& challenge);
};

// What our side adds to the digest. Views must be valid during the call only.
struct DigestInput {
    std::string_view user;
    std::string_view password;
    std::string_view method;
    std::string_view target;  // As on the request line.
    std::string_view client_nonce;
    std::uint32_t nonce_count = 1;  // How often this nonce has been used, this time included.
};

// The value of Authorization: "Digest username=...". REQUIRES: no control bytes in the user.
std::string digest_authorization(const DigestChallenge& challenge, const DigestInput& input);

}  // namespace weft::http
