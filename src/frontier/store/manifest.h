#pragma once

#include <cstdint>
#include <filesystem>
#include <map>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// The number and level of a run file.
struct RunName {
    std::uint64_t number = 0;
    std::uint32_t level = 0;  // How often its content was merged.
    std::uint64_t count = 0;  // Number of fingerprints, or of queued URLs.
};

// The small file that says which other files belong to the store, and what was true when the log
// that it names began. It is replaced atomically.
struct Manifest {
    std::uint64_t store_id = 0;
    std::uint64_t hash_seed = 0;
    std::uint64_t log_number = 0;
    std::uint64_t closed_log_size = 0;    // The size of the log when the store was last closed,
    std::uint64_t closed_log_number = 0;  // and which log that was; 0: not known.
    std::uint64_t next_number = 0;        // For the next file.
    std::vector<RunName> seen_runs;       // Oldest first.
    std::vector<RunName> host_runs;       // Oldest first.
    std::uint64_t seen_count = 0;
    std::uint64_t done_count = 0;
    std::map<std::string, ArchivePlace, std::less<>> archived;
    std::map<std::string, std::uint64_t, std::less<>> sides;  // The sizes of side files.
    std::string saved;  // The caller's state: CrawlFiles::save().
};

// Both throw IoError. read_manifest() throws StoreError if the file is damaged or of another
// version.
void write_manifest(aio::FileSystem& files, const std::filesystem::path& path,
                    const Manifest& manifest);
Manifest read_manifest(aio::FileSystem& files, const std::filesystem::path& path);

}  // namespace weft::frontier
