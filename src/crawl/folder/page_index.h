#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "archive/index/page_entry.h"
#include "web/url/url.h"

// Where in pages.jsonl the line of a URL is, so that one URL is found in a crawl of millions in
// milliseconds. `pages/pages.idx` has sixteen bytes for each line, in the order of the lines: a
// hash of the URL's key and the line's offset, both little-endian. It may lag behind the log, and
// lose lines of it or have lines too many after a crash: whoever looks checks the line, and reads
// what is behind the last one by hand. If the last row is not that of its line the log was changed,
// and nothing in the index counts. It can always be left out.
namespace weft::crawl {

class PageIndex {
public:
    static constexpr const char* kName = "pages/pages.idx";

    // Goes on with the index of a page log of `log_size` bytes, or begins it.
    PageIndex(aio::FileSystem& files, const std::filesystem::path& path, std::uint64_t log_size);

    // A line that begins at `offset`. What is none of a page is passed over.
    void add(std::string_view line, std::uint64_t offset);

    // Failures are forgotten: without an index all is found as well, only later.
    void flush() noexcept;

private:
    std::unique_ptr<aio::File> file_;
    std::string pending_;
};

// The entry of a URL in the page log of the crawl at `folder`; nothing if it has none. Session ids
// in URLs count if the crawl keeps them. Throws IoError.
std::optional<archive::PageEntry> find_page(aio::FileSystem& files,
                                            const std::filesystem::path& folder,
                                            const web::Url& url, bool keeps_session_ids);

}  // namespace weft::crawl
