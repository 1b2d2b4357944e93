// A queued URL as it lies in Redis: what can be read is written again as the same URL, and the host
// is never another one.
#include <cstdint>
#include <string>

#include "cluster/entry.h"
#include "fuzz/cuts.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const fuzz::Piece piece({reinterpret_cast<const char*>(data), size});
    const auto visit = cluster::decode_entry(piece.view(), "a.test", 1);
    if (!visit) return 0;
    fuzz::require(visit->candidate.host == "a.test");
    const std::string again = cluster::encode_entry(visit->candidate, visit->attempt);
    const auto back = cluster::decode_entry(again, "a.test", 1);
    fuzz::require(back && back->candidate.url == visit->candidate.url);
    fuzz::require(back->candidate.referrer == visit->candidate.referrer);
    fuzz::require(back->candidate.depth == visit->candidate.depth);
    fuzz::require(back->attempt == visit->attempt);
    return 0;
}
