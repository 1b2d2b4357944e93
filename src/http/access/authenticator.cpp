#include "http/access/authenticator.h"

#include <algorithm>

#include <fmt/format.h>
#include <openssl/rand.h>

#include "base/assert.h"
#include "base/bytes.h"

namespace weft::http {

namespace {

constexpr std::size_t kClientNonceBytes = 16;

std::string make_client_nonce() {
    std::string bytes(kClientNonceBytes, '\0');
    WEFT_ASSERT(RAND_bytes(reinterpret_cast<unsigned char*>(bytes.data()), kClientNonceBytes) == 1);
    return to_hex(bytes);
}

// SHA-256 is better than MD5, and anything is better than nothing. Of equal ones the first wins, as
// servers list their favorite first (RFC 7616, 3.7).
bool is_better(const DigestChallenge& a, const std::optional<DigestChallenge>& b) {
    return !b || (a.algorithm == DigestAlgorithm::sha256 && b->algorithm == DigestAlgorithm::md5);
}

}  // namespace

std::string basic_authorization(std::string_view user, std::string_view password) {
    return "Basic " + to_base64(fmt::format("{}:{}", user, password));
}

Authenticator::Authenticator(std::vector<Credentials> credentials) {
    for (Credentials& one : credentials) {
        const Way way = one.unasked ? Way::basic : Way::none;
        logins_.push_back({.credentials = std::move(one), .way = way, .challenge = {}});
    }
}

Authenticator::Login* Authenticator::find(const web::Url& url) {
    const auto found = std::ranges::find_if(
        logins_, [&](const Login& login) { return login.credentials.origin.is_of(url); });
    return found == logins_.end() ? nullptr : &*found;
}

std::string Authenticator::authorization(const web::Url& url, std::string_view method) {
    Login* login = find(url);
    if (!login) return {};
    const Credentials& own = login->credentials;
    // A token goes with every request, without waiting for a 401.
    if (!own.bearer_token.empty()) return "Bearer " + own.bearer_token;
    switch (login->way) {
        case Way::none: return {};
        case Way::basic: return basic_authorization(own.user, own.password);
        case Way::digest: break;
    }
    return digest_authorization(login->challenge, {.user = own.user,
                                                   .password = own.password,
                                                   .method = method,
                                                   .target = url.path_and_query(),
                                                   .client_nonce = make_client_nonce(),
                                                   .nonce_count = ++login->nonce_count});
}

bool Authenticator::learn(const web::Url& url, const Headers& headers, std::string_view sent) {
    Login* login = find(url);
    // A token that was rejected stays rejected.
    if (!login || !login->credentials.bearer_token.empty()) return false;
    bool offers_basic = false;
    std::optional<DigestChallenge> best;
    for (const std::string_view value : headers.get_all("WWW-Authenticate")) {
        for (const Challenge& challenge : parse_challenges(value)) {
            if (challenge.scheme == "basic") offers_basic = true;
            auto digest = DigestChallenge::of(challenge);
            if (digest && is_better(*digest, best)) best = std::move(digest);
        }
    }
    const bool was_digest = sent.starts_with("Digest ");
    if (best) {
        // If a digest was rejected, sending it again helps only with another nonce: either the
        // server says that the old one is stale, or it sent a new one.
        const bool is_old = best->is_stale || best->nonce != login->challenge.nonce;
        if (was_digest && !is_old) return false;
        login->way = Way::digest;
        // A count that is used twice with one nonce looks like a replay (RFC 7616, 3.4): requests
        // that were sent at once may all bring the same nonce.
        if (best->nonce != login->challenge.nonce) login->nonce_count = 0;
        login->challenge = *std::move(best);
        return true;
    }
    // Basic is always the same, so it is sent once only. It also is not sent after a digest: the
    // server has rejected the password already.
    if (!offers_basic || !sent.empty()) return false;
    login->way = Way::basic;
    return true;
}

}  // namespace weft::http
