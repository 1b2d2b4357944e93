#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "extract/extract.h"
#include "extract/extractor.h"

namespace weft::crawl {

// Memory to extract pages, which all shards of a crawl share.
struct TextMemory {
    std::size_t shard_bytes = 0;  // For one extraction on each shard.
    std::size_t large_bytes = 0;  // For a page that needs more: one at a time.
    std::mutex* large = nullptr;  // Held while such a page is extracted. Null: there is one shard.
};

// Gets the texts of pages for text.jsonl. A crawler has one, because pages are extracted one after
// the other on its loop; so the memory of one extraction is set aside for all of them.
class PageText {
public:
    // With TextForm::none nothing is extracted.
    PageText(extract::TextForm form, TextMemory memory) : form_(form), memory_(memory) {}

    struct Page {
        std::string_view html;
        std::string_view content_type;  // The header, with its charset.
        std::string_view url;
        WallTime date;
    };

    bool is_wanted() const { return form_ != extract::TextForm::none; }

    // How much HTML of a page can be read with the memory that was set aside. What is beyond is
    // cut.
    std::size_t html_bytes_max() const;

    extract::Extract read(const Page& page);

    // The line of the page, with a line feed.
    std::string line(const Page& page, const extract::Extract& text,
                     std::string_view near_duplicate_of) const;

private:
    extract::TextForm form_;
    TextMemory memory_;
    std::optional<extract::Extractor> extractor_;  // Made for the first page.
};

}  // namespace weft::crawl
