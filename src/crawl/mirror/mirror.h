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
    // The folders of the crawls that this one builds on, if they were moved
    // (EarlierCrawl::Options).
    std::span<const std::filesystem::path> earlier;

    // With `ignored`, pages whose digests are wrong are copied too.
    Digests digests = Digests::checked;
};

struct MirrorReport {
    std::uint64_t file_count = 0;
    std::uint64_t bytes = 0;
    bool was_running = false;  // The copy has what the crawl had committed when the copy began.

    // Pages whose responses could not be read: damaged, or stored in a crawl that was not found.
    std::uint64_t damaged_count = 0;
    std::uint64_t no_original_count = 0;
    std::vector<std::string> damages;       // Messages about the first few damaged ones.
    std::filesystem::path missing_earlier;  // The folder that was not found; empty: none.
};

// Makes a copy of a crawl that a browser can open without a server. It has a file for each response
// with status 200. Links between these files are made relative; links to anything else lead to the
// web. Pages become UTF-8. The copy is made from the crawl's archive, one response at a time, so it
// can be made again at any time. Memory is some 100 bytes for each URL. The crawl may still run.
//
// Nothing outside of `target` is written, whatever the URLs are (H94), and no other file is
// replaced: `target` must be empty, or not exist, or hold an unfinished copy, which the file
// kUnfinishedName marks. An unfinished copy is made again. Blocks. Throws UsageError, IoError, and
// ArchiveError if a WARC file is missing or too short or the copy cannot be written.
MirrorReport write_mirror(aio::FileSystem& files, const std::filesystem::path& crawl,
                          const std::filesystem::path& target, const MirrorOptions& options = {});

// Throws UsageError if a mirror cannot be made there because the folder holds other files.
void check_mirror_target(aio::FileSystem& files, const std::filesystem::path& target);

// The file that is in the target while the copy is being made; it is also the lock. It cannot
// collide with a file of the mirror, as no name of those begins with a dot.
inline constexpr const char* kUnfinishedName = ".weft-unfinished-mirror";

}  // namespace weft::crawl
