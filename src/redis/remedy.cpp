#include "redis/remedy.h"

#include <algorithm>
#include <array>
#include <string_view>

namespace weft::redis {

namespace {

// ASK is here because ASKING is never sent: a function needs all of its keys on one node, so it
// waits for the end of the slot's move, which is soon.
constexpr std::array<std::string_view, 9> kPauseCodes = {
    "ASK",     "TRYAGAIN", "CLUSTERDOWN", "LOADING", "MASTERDOWN", "NOREPLICAS", "BUSY", "OOM",
    "MISCONF",  // The server cannot write its disk; it says so until somebody mends it.
};

}  // namespace

Remedy remedy_for(const Reply& reply, std::span<const std::string> again) {
    if (!reply.is_error()) return Remedy::none;
    const std::string_view code = reply.code();
    // A master that was replaced is a replica when it comes back: READONLY.
    if (code == "MOVED" || code == "READONLY") return Remedy::refresh;
    if (std::ranges::find(kPauseCodes, code) != kPauseCodes.end()) return Remedy::pause;
    if (std::ranges::find(again, code) != again.end()) return Remedy::pause;
    if (reply.text.starts_with("ERR Function not found")) return Remedy::load;
    return Remedy::none;
}

}  // namespace weft::redis
