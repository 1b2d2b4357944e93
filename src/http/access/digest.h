#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "http/access/challenge.h"

// Digest access authentication (RFC 7616): shows that we know the password without saying it.
namespace weft::http {

enum class DigestAlgorithm { md5, sha256 };

// What a server asks to be answered.
struct DigestChallenge {
    std::string realm;
    std::string nonce;
    std::optional<std::string> opaque;
    DigestAlgorithm algorithm = DigestAlgorithm::md5;
    bool is_session = false;     // The -sess variants.
    bool has_algorithm = false;  // It was named, so it is to be named back.
    bool has_qop = false;        // `auth` is offered; without it the old form of RFC 2069.
    bool is_stale = false;       // Only the nonce was old: the password may be right.
    bool wants_user_hash = false;

    // Nothing when it is no digest, or one that asks for what we do not do (auth-int alone,
    // SHA-512-256), or could not be echoed in a header.
    static std::optional<DigestChallenge> of(const Challenge& challenge);
};

struct DigestInput {
    std::string_view user;
    std::string_view password;
    std::string_view method;
    std::string_view target;  // As on the request line.
    std::string_view client_nonce;
    std::uint32_t nonce_count = 1;  // How often this nonce has been used, this time included.
};

// The value of Authorization: "Digest username=...". The user must not hold control bytes.
std::string digest_authorization(const DigestChallenge& challenge, const DigestInput& input);

}  // namespace weft::http
