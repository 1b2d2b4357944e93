#pragma once

#include <array>
#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <string_view>

#include "aio/files/files.h"

namespace weft::crawl {

// How a page changed between two crawls of the same site.
enum class Change : std::uint8_t {
    fresh,      // It was not there before.
    changed,    // Its content is different.
    unchanged,  // Its content is the same.
    moved,      // It redirects now.
    gone,       // It was there; now it is an error, or there is no response.
    missing,    // It was there; the later crawl found no link to it.
    unasked,    // It was there; the later crawl did not request it because of a limit or
                // robots.txt, or because it has not ended yet.
};
inline constexpr std::array kChanges = {Change::fresh,  Change::changed, Change::unchanged,
                                        Change::moved,  Change::gone,    Change::missing,
                                        Change::unasked};
std::string_view name(Change change);  // "new" for fresh, else the enumerator's name.

struct PageChange {
    std::string_view url;
    Change change = Change::unchanged;
    int status_before = 0;  // 0: no response, or not requested.
    int status_after = 0;
};

// How many pages changed in each way, indexed by Change.
using ChangeCounts = std::array<std::uint64_t, kChanges.size()>;

// Compares two crawls and calls `take` for each page, sorted by URL, in bounded memory. Pages that
// were good in neither crawl are left out. If the later crawl is not finished, a page that it has
// no line for is `unasked`, not `missing`. Blocks; throws IoError. The view in PageChange is valid
// during the call.
ChangeCounts compare_crawls(aio::FileSystem& files, const std::filesystem::path& before,
                            const std::filesystem::path& after, bool is_finished,
                            const std::function<void(const PageChange&)>& take);

// Writes reports/changes.jsonl of the later crawl, one line for each page that is not `unchanged`,
// and returns a summary for people.
std::string report_changes(aio::FileSystem& files, const std::filesystem::path& before,
                           const std::filesystem::path& after, bool is_finished);

}  // namespace weft::crawl
