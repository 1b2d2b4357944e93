#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>

#include "aio/task/co.h"

namespace weft::crawl {

// Checks the free space on the disk of `folder` at intervals. When it is below `reserve_bytes`,
// calls `on_low` once and returns. The first check happens before the first wait. If the free space
// cannot be read, the disk counts as large enough. Runs until then or until it is cancelled.
aio::Co<> watch_disk(std::filesystem::path folder, std::uint64_t reserve_bytes,
                     std::function<void()> on_low);

}  // namespace weft::crawl
