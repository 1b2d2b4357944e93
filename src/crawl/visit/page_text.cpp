#include "crawl/visit/page_text.h"

#include <algorithm>

#include "base/limits.h"
#include "extract/line/text_line.h"

namespace weft::crawl {
namespace {

// The most memory that a byte of HTML takes while it is extracted.
constexpr std::size_t kBytesPerHtmlByte = 32;
// An extractor with larger buffers gives them back after the page.
constexpr std::size_t kKeptExtractorBytesMax = 4_MiB;

}  // namespace

std::size_t PageText::html_bytes_max() const {
    if (!is_wanted()) return 0;
    return std::min(std::max(memory_.shard_bytes, memory_.large_bytes) / kBytesPerHtmlByte,
                    limits::kHtmlBytesMax);
}

extract::Extract PageText::read(const Page& page) {
    // Two large pages at the same moment are rare, and one takes some milliseconds: another shard's
    // loop can wait that long.
    std::unique_lock<std::mutex> turn;
    const bool is_large = page.html.size() > memory_.shard_bytes / kBytesPerHtmlByte;
    if (is_large && memory_.large) turn = std::unique_lock(*memory_.large);
    if (!extractor_) {
        extractor_.emplace(
            extract::Wishes{.text = form_, .lists_links = true, .takes_simhash = true});
    }
    extractor_->read(
        {.html = page.html,
         .content_type = page.content_type,
         .url = page.url,
         .last_day = std::chrono::floor<std::chrono::days>(page.date) + std::chrono::days(1)});
    extract::Extract text = extractor_->take();
    if (is_large || extractor_->memory_bytes() > kKeptExtractorBytesMax) extractor_.reset();
    return text;
}

std::string PageText::line(const Page& page, const extract::Extract& text,
                           std::string_view near_duplicate_of) const {
    std::string line;
    extract::append_text_line({.url = page.url,
                               .date = page.date,
                               .form = form_,
                               .page = text,
                               .near_duplicate_of = near_duplicate_of},
                              line);
    return line;
}

}  // namespace weft::crawl
