#include "crawl/page_sink.h"

#include <algorithm>

#include "base/bytes.h"

namespace weft::crawl {
namespace {

constexpr std::size_t kTypeBytesMax = 200;

// An answer that did not come at once gets room for this much, if it was lent: most need no more.
constexpr std::size_t kUsualBytes = 64 * 1024;

bool is_xml(std::string_view type) {
    return type == "application/xml" || type == "text/xml" || type.ends_with("+xml");
}

bool is_html(std::string_view type) {
    return type == "text/html" || type == "application/xhtml+xml";
}

}  // namespace

web::HtmlReader ReaderPool::take() {
    if (readers_.empty()) return web::HtmlReader(options_);
    web::HtmlReader reader = std::move(readers_.back());
    readers_.pop_back();
    return reader;
}

void ReaderPool::give_back(web::HtmlReader reader) {
    if (readers_.size() < kCountMax) readers_.push_back(std::move(reader));
}

void PageSink::drop_reader() {
    if (!reader_) return;
    static_cast<void>(reader_->finish());  // Ready for another page, wherever this one broke off.
    readers_.give_back(*std::move(reader_));
    reader_.reset();
}

void PageSink::on_start() {
    request_.clear();
    wire_.clear();
    content_.clear();
    has_overflowed_ = false;
    content_type_.clear();
    digest_.reset();
    decoder_.reset();
    drop_reader();
    style_.reset();
    listing_.reset();
    skeleton_.reset();
}

void PageSink::on_request(std::string_view head) {
    if (wishes_.keeps_wire) request_ = head;
}

void PageSink::on_wire(std::string_view bytes) {
    if (wishes_.keeps_wire) keep(wire_, bytes);
}

void PageSink::on_head(const http::Response& response) {
    const std::string_view header = response.headers.get("Content-Type").value_or("");
    content_type_ = to_lower(trim(header.substr(0, header.find(';'))).substr(0, kTypeBytesMax));
    const bool is_good = response.status == 200;
    if (is_good && (wishes_.is_sitemap || is_xml(content_type_))) {
        if (content_type_ != "application/xhtml+xml" && content_type_ != "image/svg+xml") {
            listing_ = std::make_unique<ListingReader>(wishes_.url);
        }
    }
    if (is_good && wishes_.reads_styles && content_type_ == "text/css") {
        style_ = std::make_unique<web::CssReader>();
    }
    // Other XML may hold XHTML: its links count (F13).
    const bool may_be_page =
        is_html(content_type_) || (is_xml(content_type_) && !content_type_.starts_with("image/"));
    if (!may_be_page || wishes_.is_sitemap) return;
    decoder_.emplace(header);
    reader_ = readers_.take();
    if (wishes_.wants_skeleton && is_good) skeleton_.emplace();
}

void PageSink::on_content(std::string_view piece) {
    if (wishes_.received_bytes) *wishes_.received_bytes += piece.size();
    digest_.update(piece);
    if (reader_) reader_->feed(decoder_->feed(piece));
    if (skeleton_) skeleton_->add(piece);
    if (style_) style_->feed(piece);
    if (listing_) listing_->feed(piece);
    if (wishes_.keeps_content) keep(content_, piece);
}

// Memory is asked for before it is taken; what cannot be had is not kept.
void PageSink::keep(std::string& where, std::string_view bytes) {
    if (has_overflowed_) return;
    const std::size_t needed = where.size() + bytes.size();
    if (needed > where.capacity()) {
        const std::size_t others = wire_.capacity() + content_.capacity() - where.capacity();
        const std::size_t usual = where.empty() ? 0 : std::min(kUsualBytes, loan_.bytes() - others);
        const std::size_t room = std::max({needed, where.capacity() * 2, usual});
        if (loan_.grow(others + room)) {
            where.reserve(room);
        } else if (!loan_.grow(others + needed)) {
            has_overflowed_ = true;
            wire_ = {};
            content_ = {};
            return;
        }
    }
    where += bytes;
}

std::optional<web::HtmlPage> PageSink::finish_page() {
    if (!reader_) return std::nullopt;
    reader_->feed(decoder_->finish());
    web::HtmlPage page = reader_->finish();
    readers_.give_back(*std::exchange(reader_, std::nullopt));
    return page;
}

std::optional<std::vector<web::CssUrl>> PageSink::finish_style() {
    if (!style_) return std::nullopt;
    return style_->finish();
}

std::optional<Listing> PageSink::finish_listing() {
    if (!listing_) return std::nullopt;
    return listing_->finish();
}

std::optional<std::uint64_t> PageSink::skeleton() {
    if (!skeleton_) return std::nullopt;
    return skeleton_->finish();
}

}  // namespace weft::crawl
