#pragma once

#include <cstdint>
#include <memory>

#include "crawl/run/memory_watch.h"

namespace weft::cli {

// Watches the memory use of this process; see crawl::MemoryWatch. Null if the system does not
// report it.
std::shared_ptr<crawl::MemoryWatch> watch_memory(std::uint64_t bytes_max);

}  // namespace weft::cli
