#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::http {

// One way to log in that a server offers in WWW-Authenticate (RFC 9110, 11.6.1).
struct Challenge {
    std::string scheme;                                           // Lower case: "basic", "digest".
    std::vector<std::pair<std::string, std::string>> parameters;  // Names in lower case.

    // The first of this name.
    std::optional<std::string_view> get(std::string_view name) const;
};

// The challenges of one field value, at most kChallengesMax with kParametersMax each; what cannot
// be read is passed over, as a server that offers one way we know may offer others we do not.
inline constexpr std::size_t kChallengesMax = 16;
inline constexpr std::size_t kChallengeParametersMax = 32;
std::vector<Challenge> parse_challenges(std::string_view value);

}  // namespace weft::http
