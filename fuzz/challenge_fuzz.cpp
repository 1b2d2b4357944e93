// WWW-Authenticate: any bytes give bounded challenges, and an answer that may stand in a header.
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <string_view>

#include "base/assert.h"
#include "http/access/challenge.h"
#include "http/access/digest.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft::http;
    const std::string_view text(reinterpret_cast<const char*>(data), size);
    const auto challenges = parse_challenges(text);
    WEFT_ASSERT(challenges.size() <= kChallengesMax);
    for (const Challenge& challenge : challenges) {
        WEFT_ASSERT(challenge.parameters.size() <= kChallengeParametersMax);
        const auto digest = DigestChallenge::of(challenge);
        if (!digest) continue;
        const std::string answer = digest_authorization(
            *digest,
            {.user = "u", .password = "p", .method = "GET", .target = "/", .client_nonce = "c"});
        WEFT_ASSERT(std::ranges::none_of(
            answer, [](char c) { return static_cast<unsigned char>(c) < 0x20 || c == 0x7F; }));
    }
    return 0;
}
