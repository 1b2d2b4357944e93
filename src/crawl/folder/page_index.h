#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "crawl/visit/outcome.h"
#include "web/url/url.h"

// The index of pages.jsonl: it finds the line of one URL in a crawl of millions in milliseconds.
//
// `pages/pages.idx` has a row of sixteen bytes for each line, in the order of the lines: a hash of
// the URL's key and the line's offset, both little-endian. The index may lag behind the log. After
// a crash it may lack rows or have too many. So a search checks the line of each row that it uses,
// and reads the lines behind the last row one by one. If the last row does not fit its line, the
// log was changed, and the whole log is read. The index is optional: without it every search reads
// the log.
namespace weft::crawl {

// Writes the index while the page log grows. Owned by the Folder, which adds each line that is
// committed. An error of the disk ends the index, never the crawl.
class PageIndex {
public:
    static constexpr const char* kName = "pages/pages.idx";

    // Continues the index of a page log of `log_size` bytes, or begins it. Rows beyond that size
    // are removed, and rows that are missing are added. If the log was rewritten, the index is made
    // anew from it.
    PageIndex(aio::FileSystem& files, const std::filesystem::path& path, std::uint64_t log_size);

    // Adds the line at `offset`. Lines that do not describe a page are ignored.
    void add(std::string_view line, std::uint64_t offset);

    // Writes buffered rows. If that fails, the index is given up: searches work without it.
    void flush() noexcept;

private:
    std::unique_ptr<aio::File> file_;  // Null after an error.
    std::string pending_;              // Rows that are not written yet.
};

// Finds the entry of a URL in the page log of the crawl in `folder`, which may still run. URLs are
// compared by their keys; `keeps_session_ids` as in the crawl's Config. Blocks; throws IoError.
std::optional<Outcome> find_page(aio::FileSystem& files, const std::filesystem::path& folder,
                                 const web::Url& url, bool keeps_session_ids);

}  // namespace weft::crawl
