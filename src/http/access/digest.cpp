#include "http/access/digest.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/bytes.h"

namespace weft::http {

namespace {

bool has_control(std::string_view text) {
    return std::ranges::any_of(
        text, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; });
}

bool lists(std::string_view list, std::string_view word) {
    while (!list.empty()) {
        const std::size_t comma = std::min(list.find(','), list.size());
        if (equals_ignore_case(trim(list.substr(0, comma)), word)) return true;
        list.remove_prefix(std::min(comma + 1, list.size()));
    }
    return false;
}

// A quoted-string (RFC 9110, 5.6.4). The server's own values are sent back with the same escapes.
std::string in_quotes(std::string_view text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out += '"';
}

std::string_view name_of(const DigestChallenge& challenge) {
    if (challenge.algorithm == DigestAlgorithm::md5) {
        return challenge.is_session ? "MD5-sess" : "MD5";
    }
    return challenge.is_session ? "SHA-256-sess" : "SHA-256";
}

}  // namespace

std::optional<DigestChallenge> DigestChallenge::of(const Challenge& challenge) {
    if (challenge.scheme != "digest") return std::nullopt;
    DigestChallenge digest;
    const auto nonce = challenge.get("nonce");
    if (!nonce) return std::nullopt;
    digest.nonce = *nonce;
    digest.realm = challenge.get("realm").value_or("");
    if (const auto opaque = challenge.get("opaque")) digest.opaque = *opaque;
    if (const auto algorithm = challenge.get("algorithm")) {
        const std::string name = to_lower(*algorithm);
        digest.has_algorithm = true;
        // MD5 is the default if no algorithm is named (RFC 7616, 3.3).
        digest.is_session = name.ends_with("-sess");
        if (name == "sha-256" || name == "sha-256-sess") {
            digest.algorithm = DigestAlgorithm::sha256;
        } else if (name != "md5" && name != "md5-sess") {
            return std::nullopt;
        }
    }
    if (const auto qop = challenge.get("qop")) {
        if (!lists(*qop, "auth")) return std::nullopt;
        digest.has_qop = true;
    }
    digest.is_stale = equals_ignore_case(challenge.get("stale").value_or(""), "true");
    digest.wants_user_hash = equals_ignore_case(challenge.get("userhash").value_or(""), "true");
    const bool can_echo = !has_control(digest.nonce) && !has_control(digest.realm) &&
                          !has_control(digest.opaque.value_or(""));
    if (!can_echo) return std::nullopt;
    return digest;
}

std::string digest_authorization(const DigestChallenge& challenge, const DigestInput& input) {
    // RFC 7616, 3.4: `secret` is H(A1), `what` is H(A2), and `proof` is the response.
    const auto hash = [&](std::string_view text) {
        return to_hex(digest(challenge.algorithm, text));
    };
    std::string secret = hash(fmt::format("{}:{}:{}", input.user, challenge.realm, input.password));
    if (challenge.is_session) {
        secret = hash(fmt::format("{}:{}:{}", secret, challenge.nonce, input.client_nonce));
    }
    const std::string what = hash(fmt::format("{}:{}", input.method, input.target));
    const std::string count = fmt::format("{:08x}", input.nonce_count);
    const std::string proof = challenge.has_qop
                                  ? hash(fmt::format("{}:{}:{}:{}:auth:{}", secret, challenge.nonce,
                                                     count, input.client_nonce, what))
                                  : hash(fmt::format("{}:{}:{}", secret, challenge.nonce, what));

    const std::string user = challenge.wants_user_hash
                                 ? hash(fmt::format("{}:{}", input.user, challenge.realm))
                                 : std::string(input.user);
    std::string value = fmt::format(
        "Digest username={}, realm={}, nonce={}, uri={}, response=\"{}\"", in_quotes(user),
        in_quotes(challenge.realm), in_quotes(challenge.nonce), in_quotes(input.target), proof);
    const auto out = std::back_inserter(value);
    // `algorithm`, `qop` and `nc` are not quoted (RFC 7616, 3.4).
    if (challenge.has_algorithm) fmt::format_to(out, ", algorithm={}", name_of(challenge));
    if (challenge.has_qop) fmt::format_to(out, ", qop=auth, nc={}", count);
    // A -sess digest contains the client nonce also without qop, so the server has to know it.
    if (challenge.has_qop || challenge.is_session) {
        fmt::format_to(out, ", cnonce={}", in_quotes(input.client_nonce));
    }
    if (challenge.opaque) fmt::format_to(out, ", opaque={}", in_quotes(*challenge.opaque));
    if (challenge.wants_user_hash) value += ", userhash=true";
    return value;
}

}  // namespace weft::http
