// A frame of the frontier's log with a good checksum; a made folder can have one for any bytes. It
// is looked through and done again, or an Error is thrown; nothing else.
#include <string>

#include "aio/files/memory_files.h"
#include "base/error.h"
#include "frontier/store/ledger.h"
#include "frontier/store/records.h"
#include "fuzz/cuts.h"

namespace weft::frontier {
namespace {

struct HalfLost final : CrawlFiles {
    void add_outcome(std::string_view) override {}
    aio::Co<> sync() override { co_return; }
    std::string save() override { return {}; }
    bool holds(std::string_view, std::uint64_t size) override { return size % 2 == 0; }
};

void replay(std::string_view payload) {
    aio::MemoryFiles files;
    const Manifest manifest{.store_id = 1, .hash_seed = 2};
    Ledger ledger(files, "/frontier", manifest, MemoryShares(1 << 20));
    HalfLost held;
    WallTime clock{};
    if (ask_if_held(payload, held) == Held::no) return;
    replay_frame(payload, ledger, clock, &held);
}

}  // namespace
}  // namespace weft::frontier

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const fuzz::Piece payload({reinterpret_cast<const char*>(data), size});
    for (const bool looks_only : {true, false}) {
        try {
            if (looks_only) {
                frontier::look_through(payload.view(), {});
            } else {
                frontier::replay(payload.view());
            }
        } catch (const Error&) {
            // As it should be.
        }
    }
    return 0;
}
