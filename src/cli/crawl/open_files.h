#pragma once

#include <cstddef>
#include <string>

#include "crawl/run/config.h"

namespace weft::cli {

// Has the process open as many files as it is allowed to, and keeps the fetches and connections of
// a crawl by so many shards within them, so that a descriptor is left for files, loops and name
// servers (H96). Returns a line for the user if fewer fetches at once than asked for are possible,
// else nothing.
std::string fit_open_files(crawl::Config& config, std::size_t shard_count);

}  // namespace weft::cli
