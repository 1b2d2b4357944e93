#pragma once

#include <cstdint>
#include <memory>

#include "crawl/run/memory_watch.h"

namespace weft::cli {

// Watches what this process holds; see crawl::MemoryWatch. Null where the system does not tell.
std::shared_ptr<crawl::MemoryWatch> watch_memory(std::uint64_t bytes_max);

}  // namespace weft::cli
