#pragma once

#include <cstddef>
#include <string>

#include "crawl/run/config.h"

namespace weft::cli {

// Raises the process's limit of open files as far as allowed, and reduces the fetches and
// connections of a crawl with `shard_count` shards to fit, so that descriptors are left for files,
// loops and name servers (H96). Returns a line for the user if fewer fetches at once are possible
// than asked for, else an empty text.
std::string fit_open_files(crawl::Config& config, std::size_t shard_count);

}  // namespace weft::cli
