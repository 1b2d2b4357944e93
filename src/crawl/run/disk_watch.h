#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "aio/task/co.h"

namespace weft::crawl {

// Looks now and then how much is free on the disk of `folder` and calls `on_low` once, when that is
// less than `reserve_bytes`; then it returns. Looks at once, before anything else is done. A disk
// that cannot be asked is taken for large.
aio::Co<> watch_disk(std::filesystem::path folder, std::uint64_t reserve_bytes,
                     std::function<void()> on_low);

}  // namespace weft::crawl
