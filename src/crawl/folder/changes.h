#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "aio/files/files.h"

namespace weft::crawl {

// What became of a page between two crawls of the same place.
enum class Change : std::uint8_t {
    fresh,      // It is there, and was not.
    changed,    // Another content,
    unchanged,  // or the same.
    moved,      // It leads elsewhere now.
    gone,       // It was there; now there is an error, or no answer.
    missing,    // It was there, and no page leads to it any more.
    unasked,    // It was there, and was not asked for: a limit, robots.txt, or a crawl that has not
                // ended yet.
};
inline constexpr std::array kChanges = {Change::fresh,  Change::changed, Change::unchanged,
                                        Change::moved,  Change::gone,    Change::missing,
                                        Change::unasked};
std::string_view name(Change change);  // "new" for fresh, else as above.

struct PageChange {
    std::string_view url;
    Change change = Change::unchanged;
    int status_before = 0;  // 0: no answer, or not asked for.
    int status_after = 0;
};

// How many of each, by number.
using ChangeCounts = std::array<std::uint64_t, kChanges.size()>;

// Compares what two crawls found and gives each page's change to `take`, sorted by URL, in bounded
// memory. What was good in neither is left out. Unless the later crawl is finished, what it has no
// line of is unasked, not missing. Throws IoError.
ChangeCounts compare_crawls(aio::FileSystem& files, const std::filesystem::path& before,
                            const std::filesystem::path& after, bool is_finished,
                            const std::function<void(const PageChange&)>& take);

// Writes reports/changes.jsonl of the later crawl, a line for each page that is not unchanged, and
// gives a text for people.
std::string report_changes(aio::FileSystem& files, const std::filesystem::path& before,
                           const std::filesystem::path& after, bool is_finished);

}  // namespace weft::crawl
