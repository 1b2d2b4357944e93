#pragma once

#include <cstdint>
#include <filesystem>
#include <span>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "crawl/folder/stored_response.h"

namespace weft::crawl {

struct MirrorOptions {
    // Where the crawls are that this one built upon, if they were moved (EarlierCrawl::Options).
    std::span<const std::filesystem::path> earlier;

    // Pages whose digests are wrong are copied all the same.
    Digests digests = Digests::checked;
};

struct MirrorReport {
    std::uint64_t file_count = 0;
    std::uint64_t bytes = 0;
    bool was_running = false;  // The copy is of what the crawl had committed when it began.

    // Pages whose answers could not be read back: damaged, or stored in a crawl that is not here.
    std::uint64_t damaged_count = 0;
    std::uint64_t no_original_count = 0;
    std::vector<std::string> damages;       // The first few, in words.
    std::filesystem::path missing_earlier;  // The crawl that was not found; empty: none.
};

// Makes a copy of a crawl that can be browsed without a server: a file for each answer 200, with
// the links between them rewritten to be relative; links to what is not in it lead to the web.
// Pages become UTF-8. Reads the crawl's archive, one answer at a time, so it can be made again at
// any time; of each URL some 100 bytes are held in memory. The crawl may run meanwhile.
//
// Nothing outside of `target` is written, whatever the URLs are (H94), and nothing that is there is
// replaced: it must be empty, not there, or hold a copy that was begun and not finished, which the
// file kUnfinishedName in it tells. Such a copy is made anew. Throws UsageError, IoError, and
// ArchiveError if a WARC file is missing or too short.
MirrorReport write_mirror(aio::FileSystem& files, const std::filesystem::path& crawl,
                          const std::filesystem::path& target, const MirrorOptions& options = {});

// Throws UsageError if a mirror cannot be made there because something else is.
void check_mirror_target(aio::FileSystem& files, const std::filesystem::path& target);

// In the target while the copy is being made. No file of a mirror begins with a dot.
inline constexpr const char* kUnfinishedName = ".weft-unfinished-mirror";

}  // namespace weft::crawl
