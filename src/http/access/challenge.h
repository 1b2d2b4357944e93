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

    // The first parameter of this name, which must be in lower case.
    std::optional<std::string_view> get(std::string_view name) const;
};

// The challenges of one field value, at most kChallengesMax with kChallengeParametersMax each. What
// cannot be parsed is ignored: a server may offer schemes that we do not know beside one that we
// know.
inline constexpr std::size_t kChallengesMax = 16;
inline constexpr std::size_t kChallengeParametersMax = 32;
std::vector<Challenge> parse_challenges(std::string_view value);

}  // namespace weft::http
