#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::demo {

// Resolves a reference against an absolute http URL and gives the one spelling that counts: no
// fragment, no needless escapes, no dot segments, addresses in four decimal parts. Nothing for
// other schemes and for what is no URL. Only as clever as the made web needs: the tests' own
// opinion, independent of the one in `web`.
std::optional<std::string> resolve(std::string_view base, std::string_view reference);

}  // namespace weft::demo
