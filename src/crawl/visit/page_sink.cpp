#include "crawl/visit/page_sink.h"

#include <algorithm>
#include <charconv>
#include <system_error>

#include "base/bytes.h"
#include "web/fields/mime.h"

namespace weft::crawl {
namespace {

constexpr std::size_t kTypeBytesMax = 200;  // A longer Content-Type is cut.

// A response that needs more than one piece gets room for its Content-Length at once, or for this
// much if it has none, if its loan is that large. A server may declare more than it sends.
constexpr std::size_t kUsualBytes = 64 * 1024;
constexpr std::size_t kDeclaredBytesMax = 1024 * 1024;

// A first piece of this size is probably not the last: without room for more it would be copied.
constexpr std::size_t kLargePiece = 12 * 1024;

// What a link takes once it is resolved, with a URL of usual length (see LinkList). It is a little
// more than that, because the list of links may just have doubled its capacity when a page is cut.
constexpr std::size_t kBytesPerLinkToCome = 512;

// The most memory that one byte of HTML can take: "<a href=1>" is ten bytes, its HtmlLink eleven
// times that, and the resolved link comes on top. If there is not enough credit for a whole piece,
// it is read in short steps, so that little more than the loan is ever held.
constexpr std::size_t kBytesPerByte = 64;
constexpr std::size_t kShortStep = 256;
constexpr std::size_t kStepMax = 16 * 1024;  // The worst case of a longer piece would need 4 MiB.

constexpr std::size_t kLendStep = 16 * 1024;  // A loan grows by at least this, if possible.
constexpr std::size_t kKeptReaderBytesMax = 128 * 1024;  // A larger reader is not kept for reuse.

// How much content to make room for.
std::size_t expected_bytes(const http::Headers& headers) {
    const std::string_view length = headers.get("Content-Length").value_or("");
    std::size_t declared = 0;
    const auto [end, error] = std::from_chars(length.begin(), length.end(), declared);
    if (error != std::errc() || end != length.end()) return kUsualBytes;
    return std::min(declared, kDeclaredBytesMax);
}

bool is_xml(std::string_view type) {
    return type == "application/xml" || type == "text/xml" || type.ends_with("+xml");
}

}  // namespace

web::HtmlReader ReaderPool::take() {
    if (readers_.empty()) return web::HtmlReader(options_);
    web::HtmlReader reader = std::move(readers_.back());
    readers_.pop_back();
    return reader;
}

void ReaderPool::give_back(web::HtmlReader reader) {
    const bool is_slim = reader.memory_bytes() <= kKeptReaderBytesMax;
    if (is_slim && readers_.size() < kCountMax) readers_.push_back(std::move(reader));
}

void PageSink::drop_reader() {
    if (!reader_) return;
    static_cast<void>(reader_->finish());  // Resets it for another page, also in mid-page.
    readers_.give_back(*std::move(reader_));
    reader_.reset();
}

// The client may send the request again: everything of the failed try is forgotten.
void PageSink::on_start() {
    request_.clear();
    wire_.clear();
    content_.clear();
    page_.clear();
    keeps_page_ = is_page_cut_ = false;
    has_overflowed_ = false;
    is_cut_ = false;
    expected_bytes_ = kUsualBytes;
    fetch_bytes_ = 0;
    finished_bytes_ = 0;
    content_type_.clear();
    digest_.reset();
    decoder_.reset();
    drop_reader();
    style_.reset();
    listing_.reset();
    skeleton_.reset();
}

void PageSink::on_request(std::string_view head) {
    if (read_options_.keeps_wire) request_ = head;
}

void PageSink::on_wire(std::string_view bytes) {
    if (read_options_.keeps_wire) keep(wire_, bytes);
}

void PageSink::on_head(const http::Response& response) {
    if (read_options_.keeps_wire) expected_bytes_ = expected_bytes(response.headers);
    const std::string_view header = response.headers.get("Content-Type").value_or("");
    content_type_ = to_lower(trim(header.substr(0, header.find(';'))).substr(0, kTypeBytesMax));
    const bool is_good = response.status == 200;
    if (is_good && (read_options_.is_sitemap || is_xml(content_type_))) {
        if (content_type_ != "application/xhtml+xml" && content_type_ != "image/svg+xml") {
            listing_ =
                std::make_unique<ListingReader>(read_options_.url, [this](std::size_t bytes) {
                    return borrow(held_bytes() - listing_->memory_bytes() + bytes);
                });
        }
    }
    if (is_good && read_options_.reads_styles && content_type_ == "text/css") {
        style_ = std::make_unique<web::CssReader>();
    }
    // Any XML may contain XHTML, so its links are read too (F13).
    const bool may_be_page = web::is_html_type(content_type_) ||
                             (is_xml(content_type_) && !content_type_.starts_with("image/"));
    if (!may_be_page || read_options_.is_sitemap) return;
    keeps_page_ = is_good && read_options_.page_bytes_max > 0 && web::is_html_type(content_type_);
    decoder_.emplace(header);
    reader_ = readers_.take();
    if (read_options_.wants_skeleton && is_good) skeleton_.emplace();
}

void PageSink::on_content(std::string_view piece) {
    if (read_options_.received_bytes) *read_options_.received_bytes += piece.size();
    digest_.update(piece);
    if (reader_) read_page(decoder_->feed(piece));
    if (skeleton_) skeleton_->add(piece);
    if (style_ && !is_cut_) {
        style_->feed(piece);
        if (!borrow(held_bytes())) overflow();
    }
    if (listing_ && !is_cut_) {
        listing_->feed(piece);
        if (listing_->lacks_memory()) overflow();
    }
    if (read_options_.keeps_content) keep(content_, piece);
    if (keeps_page_) keep_page(piece);
}

// Borrows the worst case before it parses and returns the rest afterwards, so that the loan always
// covers what the parser holds.
void PageSink::read_page(std::string_view text) {
    while (!text.empty() && !is_cut_) {
        const std::size_t long_step = std::min(text.size(), kStepMax);
        const bool has_room = loan_.grow(held_bytes() + kBytesPerByte * long_step);
        const std::size_t step = has_room ? long_step : std::min(text.size(), kShortStep);
        reader_->feed(text.substr(0, step));
        text.remove_prefix(step);
        if (!borrow(held_bytes())) overflow();
        if (has_room) loan_.shrink(std::max(held_bytes(), first_loan_bytes_));
    }
}

std::size_t PageSink::held_bytes() const {
    std::size_t bytes =
        fetch_bytes_ + finished_bytes_ + wire_.capacity() + content_.capacity() + page_.capacity();
    if (reader_) bytes += reader_->memory_bytes() + bytes_to_come();
    if (style_) bytes += style_->memory_bytes();
    if (listing_) bytes += listing_->memory_bytes();
    return bytes;
}

// What the links read so far will take when they are resolved. It is borrowed in advance, so that a
// page that is cut can still use the links it has.
std::size_t PageSink::bytes_to_come() const {
    return reader_ ? reader_->page().links.size() * kBytesPerLinkToCome : 0;
}

bool PageSink::borrow(std::size_t bytes) {
    return bytes <= loan_.bytes() || loan_.grow(bytes + kLendStep) || loan_.grow(bytes);
}

// There is no credit left. If the fetch can be tried again with a larger loan, everything is
// dropped; otherwise what was read so far is used.
void PageSink::overflow() {
    is_cut_ = true;
    if (read_options_.takes_parts) return;
    has_overflowed_ = true;
    wire_ = {};
    content_ = {};
    page_ = {};
    drop_reader();
    style_.reset();
    listing_.reset();
}

bool PageSink::lends(std::size_t bytes) {
    if (has_overflowed_ && !read_options_.takes_parts) return false;
    const bool is_more = bytes > fetch_bytes_;
    fetch_bytes_ = bytes;
    if (!is_more || borrow(held_bytes())) return true;
    overflow();
    // A page that is cut finds no more links, so the client may use what was set aside for them.
    // Refusing would fail the fetch and lose the links that were read.
    return read_options_.takes_parts && borrow(held_bytes() - bytes_to_come());
}

bool PageSink::lends_links(std::size_t bytes) {
    if (borrow(held_bytes() + read_options_.link_copies * bytes)) return true;
    overflow();
    return false;
}

// Appends to a buffer, and borrows before it grows. While a buffer grows, the old and the new one
// exist, so the new size comes on top of what is held. Without credit the buffers are dropped.
void PageSink::keep(std::string& where, std::string_view bytes) {
    if (has_overflowed_) return;
    if (!make_room(where, where.size() + bytes.size())) {
        if (!read_options_.takes_parts) return overflow();
        has_overflowed_ = true;
        wire_ = {};
        content_ = {};
        return;
    }
    where += bytes;
}

// Unlike the bytes for the archive, a part of a page is of use: its text is cut.
void PageSink::keep_page(std::string_view piece) {
    if (has_overflowed_ || is_page_cut_) return;
    const std::string_view wanted = piece.substr(0, read_options_.page_bytes_max - page_.size());
    const bool has_room = make_room(page_, page_.size() + wanted.size());
    if (!has_room && !read_options_.takes_parts) return overflow();
    is_page_cut_ = !has_room || wanted.size() < piece.size();
    if (has_room) page_ += wanted;
}

bool PageSink::make_room(std::string& where, std::size_t needed) {
    if (needed <= where.capacity()) return true;
    const std::size_t held = held_bytes();
    const bool is_more_likely = !where.empty() || needed >= kLargePiece;
    const std::size_t usual =
        is_more_likely ? std::min(where.size() + expected_bytes_, loan_.bytes()) : 0;
    const std::size_t ahead = std::max(where.capacity() / 2 * 3, usual);
    const std::size_t room = std::max(needed, std::min(ahead, read_options_.bytes_max));
    if (!borrow(held + room)) return false;
    where.reserve(room);
    return true;
}

bool PageSink::lends_text(std::size_t bytes) {
    finished_bytes_ += bytes;
    if (borrow(held_bytes())) return true;
    finished_bytes_ -= bytes;
    return false;
}

std::optional<web::HtmlPage> PageSink::finish_page() {
    if (!reader_) return std::nullopt;
    if (!is_cut_) reader_->feed(decoder_->finish());
    web::HtmlPage page = reader_->finish();
    readers_.give_back(*std::exchange(reader_, std::nullopt));
    finished_bytes_ += page.memory_bytes();
    if (page.is_cut) is_cut_ = true;
    return page;
}

std::optional<std::vector<web::CssUrl>> PageSink::finish_style() {
    if (!style_) return std::nullopt;
    if (style_->is_cut()) is_cut_ = true;
    finished_bytes_ += style_->memory_bytes();
    const std::unique_ptr<web::CssReader> style = std::move(style_);
    return style->finish();
}

std::optional<Listing> PageSink::finish_listing() {
    if (!listing_) return std::nullopt;
    // finish() may add a last entry, which borrows too. So the reader stays in place, and counts in
    // held_bytes(), until it is done.
    Listing listing = listing_->finish();
    if (listing_->is_cut()) is_cut_ = true;
    if (listing_->lacks_memory()) overflow();
    if (has_overflowed_ && !read_options_.takes_parts) return std::nullopt;
    listing_.reset();
    for (const std::string& each : listing.locations) {
        finished_bytes_ += sizeof each + each.capacity();
    }
    return listing;
}

std::optional<std::uint64_t> PageSink::skeleton() {
    if (!skeleton_) return std::nullopt;
    return skeleton_->finish();
}

}  // namespace weft::crawl
