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

std::vector<extract::NamedValue> reservation_fields(const http::Headers& headers) {
    std::vector<extract::NamedValue> fields;
    for (const http::Field field : headers) {
        if (extract::is_reservation_name(field.name)) fields.push_back({field.name, field.value});
    }
    return fields;
}

http::Headers with_new_reservations(http::Headers stored, const http::Headers& fresh) {
    const std::vector<extract::NamedValue> fields = reservation_fields(fresh);
    for (const extract::NamedValue& field : fields) stored.remove(field.name);
    for (const extract::NamedValue& field : fields) stored.add(field.name, field.value);
    return stored;
}

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
    if (!extractor_) extractor_.emplace(wishes_);
    const std::vector<extract::NamedValue> fields = reservation_fields(page.headers);
    extract::Source source{
        .html = page.html,
        .content_type = page.headers.get("Content-Type").value_or(""),
        .url = page.url,
        .agent = agent_,
        .headers = fields,
        .last_day = std::chrono::floor<std::chrono::days>(page.date) + std::chrono::days(1)};
    if (page.terms) {
        source.robots = page.terms->robots;
        source.tdm = &page.terms->tdm;
    }
    extractor_->read(source);
    extract::Extract text = extractor_->take();
    if (is_large || extractor_->memory_bytes() > kKeptExtractorBytesMax) extractor_.reset();
    return text;
}

std::string PageText::line(const Page& page, const extract::Extract& text,
                           std::string_view near_duplicate_of) const {
    std::string line;
    extract::append_text_line({.url = page.url,
                               .date = page.date,
                               .form = wishes_.text,
                               .page = text,
                               .near_duplicate_of = near_duplicate_of},
                              line);
    return line;
}

std::string PageText::short_line(const Page& page, extract::Extract text,
                                 std::string_view near_duplicate_of) const {
    text.text = {};
    text.links = {};
    text.cut.text = text.cut.links = true;
    text.cut.structured = !text.structured.empty();
    text.structured = {};
    return line(page, text, near_duplicate_of);
}

}  // namespace weft::crawl
