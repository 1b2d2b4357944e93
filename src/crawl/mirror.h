#pragma once

#include <cstdint>
#include <filesystem>

#include "aio/files.h"

namespace weft::crawl {

struct MirrorReport {
    std::uint64_t file_count = 0;
    std::uint64_t bytes = 0;
    std::uint64_t lost_count = 0;  // Pages whose answers could not be read back.
};

// Makes a copy of a crawl that can be browsed without a server: a file for each answer 200, with
// the links between them rewritten to be relative; links to what is not in it lead to the web.
// Pages become UTF-8. Reads the crawl's archive, one answer at a time, so it can be made again at
// any time; of each URL some 100 bytes are held in memory.
//
// Nothing outside of `target` is written, whatever the URLs are (H94), and nothing that is there is
// replaced: it must be empty, or not there. Throws UsageError, IoError.
MirrorReport write_mirror(aio::FileSystem& files, const std::filesystem::path& crawl,
                          const std::filesystem::path& target);

// Throws UsageError if a mirror cannot be made there because something else is.
void check_mirror_target(aio::FileSystem& files, const std::filesystem::path& target);

}  // namespace weft::crawl
