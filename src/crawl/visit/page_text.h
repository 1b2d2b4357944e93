#pragma once

#include <cstddef>
#include <mutex>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/clock.h"
#include "crawl/extract/site_terms.h"
#include "extract/extract.h"
#include "extract/extractor.h"
#include "http/message/headers.h"

namespace weft::crawl {

// Memory to extract pages, which all shards of a crawl share.
struct TextMemory {
    std::size_t shard_bytes = 0;  // For one extraction on each shard.
    std::size_t large_bytes = 0;  // For a page that needs more: one at a time.
    std::mutex* large = nullptr;  // Held while such a page is extracted. Null: there is one shard.
};

// The header fields that may reserve the use of a page. The views are into `headers`.
std::vector<extract::NamedValue> reservation_fields(const http::Headers& headers);

// The header fields of an unchanged page: those about its use in the 304 replace the stored ones
// (RFC 9111 section 3.2).
http::Headers with_new_reservations(http::Headers stored, const http::Headers& fresh);

// Gets the texts of pages for text.jsonl. A crawler has one, because pages are extracted one after
// the other on its loop; so the memory of one extraction is set aside for all of them.
class PageText {
public:
    // With TextForm::none nothing is extracted. `agent` is the name by which sites know the crawl.
    PageText(extract::Wishes wishes, std::string agent, TextMemory memory)
        : wishes_(std::move(wishes)), agent_(std::move(agent)), memory_(memory) {}

    struct Page {
        std::string_view html;
        const http::Headers& headers;  // Of the response: its charset, what it reserves.
        std::string_view url;
        WallTime date;
        const SiteTerms* terms = nullptr;  // Of its site; null if there are none.
    };

    bool is_wanted() const { return wishes_.text != extract::TextForm::none; }

    // How much HTML of a page can be read with the memory that was set aside. What is beyond is
    // cut.
    std::size_t html_bytes_max() const;

    extract::Extract read(const Page& page);

    // The line of the page, with a line feed.
    std::string line(const Page& page, const extract::Extract& text,
                     std::string_view near_duplicate_of) const;

    // The same without text, links and structured data.
    std::string short_line(const Page& page, extract::Extract text,
                           std::string_view near_duplicate_of) const;

private:
    extract::Wishes wishes_;
    std::string agent_;
    TextMemory memory_;
    std::optional<extract::Extractor> extractor_;  // Made for the first page.
};

}  // namespace weft::crawl
