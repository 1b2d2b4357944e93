#include "crawl/run/disk_watch.h"

#include <algorithm>

#include "aio/files/free_space.h"
#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "base/units.h"

namespace weft::crawl {
namespace {

// The disk is assumed to fill no faster than this, so the next check comes before the reserve is
// touched.
constexpr std::uint64_t kBytesPerSecondMax = 1_GiB;
constexpr Duration kIntervalMin = 50ms;
constexpr Duration kIntervalMax = 2s;

std::uint64_t free_on(const std::filesystem::path& folder) {
    try {
        return aio::free_space(aio::EventLoop::running().files(), folder);
    } catch (const aio::IoError&) {
        return UINT64_MAX;
    }
}

}  // namespace

aio::Co<> watch_disk(std::filesystem::path folder, std::uint64_t reserve_bytes,
                     std::function<void()> on_low) {
    for (;;) {
        const std::uint64_t free_bytes = free_on(folder);
        if (free_bytes < reserve_bytes) break;
        // The bound keeps `until_low` from overflowing. It makes no difference: kIntervalMax is
        // shorter.
        const std::uint64_t left = std::min<std::uint64_t>(free_bytes - reserve_bytes, 4_GiB);
        const Duration until_low = 1s * left / kBytesPerSecondMax;
        co_await aio::sleep(std::clamp(until_low, kIntervalMin, kIntervalMax));
    }
    on_low();
}

}  // namespace weft::crawl
