#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "crawl/scope/listing_reader.h"
#include "crawl/scope/trap_watch.h"
#include "crawl/visit/body_credit.h"
#include "http/client/memory_lender.h"
#include "http/message/message.h"
#include "web/charset/page_decoder.h"
#include "web/html/css.h"
#include "web/html/html.h"

namespace weft::crawl {

// What a visit wants from a response.
struct ReadOptions {
    bool keeps_wire = false;     // Keep the bytes as received, for the archive.
    bool keeps_content = false;  // Keep the content, for a page handler.
    std::size_t page_bytes_max =
        0;                        // Keep this much of an HTML page with status 200, for its text.
    bool reads_styles = false;    // Read the URLs in style sheets.
    bool is_sitemap = false;      // Read it as a sitemap, whatever its Content-Type says.
    bool wants_skeleton = false;  // Compute the fingerprint for TrapWatch.
    std::string_view url = {};    // Outlives the sink.

    // Counts the content bytes received, if not null. Outlives the sink.
    std::uint64_t* received_bytes = nullptr;

    // The limit of the client on the bytes received: buffers are never reserved beyond it.
    std::size_t bytes_max = SIZE_MAX;

    // What to do when there is no credit. True: leave the rest out and use what was read so far.
    // False: end the fetch, so that it can start again with a larger loan.
    bool takes_parts = true;

    std::size_t link_copies = 1;  // How many copies of a link exist on its way into the logs.
};

// Keeps used HtmlReaders for the next page: making one costs more than reading a small page. Used
// on one loop.
class ReaderPool {
public:
    explicit ReaderPool(web::HtmlOptions options) : options_(options) {}

    web::HtmlReader take();
    void give_back(web::HtmlReader reader);

private:
    static constexpr std::size_t kCountMax = 64;

    web::HtmlOptions options_;
    std::vector<web::HtmlReader> readers_;
};

// Reads a response while it streams in and keeps what a visit wants: the links of a page, style
// sheet or listing, a digest, and the bytes themselves.
//
// Invariant: the memory that it holds is covered by its loan. What the loan cannot be grown for is
// not kept. Owned by one visit, on its loop. The client calls the on_ functions and lends() during
// the fetch; the finish_ and take_ functions are for the time after it.
class PageSink final : public http::ResponseSink, public http::MemoryLender {
public:
    // `loan` is what the fetch has borrowed before it starts. `readers` outlives the sink.
    PageSink(ReadOptions read_options, BodyCredit::Loan loan, ReaderPool& readers)
        : read_options_(read_options),
          loan_(std::move(loan)),
          first_loan_bytes_(loan_.bytes()),
          readers_(readers) {}
    ~PageSink() override { drop_reader(); }
    PageSink(const PageSink&) = delete;
    PageSink& operator=(const PageSink&) = delete;

    void on_start() override;
    void on_request(std::string_view head) override;
    void on_wire(std::string_view bytes) override;
    void on_head(const http::Response& response) override;
    void on_content(std::string_view piece) override;
    bool lends(std::size_t bytes) override;

    // Grows the loan for the resolved links of the page, `bytes` in all. False if there is no
    // credit for them.
    bool lends_links(std::size_t bytes);

    // The caller has left out links.
    void note_cut() { is_cut_ = true; }

    // Call each at most once, after the fetch. Empty if the response is not of that kind.
    std::optional<web::HtmlPage> finish_page();
    std::optional<std::vector<web::CssUrl>> finish_style();
    std::optional<Listing> finish_listing();

    std::string take_request() { return std::move(request_); }
    std::string take_wire() { return std::move(wire_); }
    std::string take_content() { return std::move(content_); }

    // The HTML of the page, for its text. Empty unless ReadOptions::page_bytes_max.
    std::string_view page() const { return page_; }
    bool is_page_cut() const { return is_page_cut_; }
    void drop_page() { page_ = {}; }

    // Grows the loan for the text of the page. False if there is no credit for it.
    bool lends_text(std::size_t bytes);

    // The encoding of the page. REQUIRES: finish_page() has returned a page.
    web::Encoding encoding() const { return decoder_->encoding()->encoding; }
    const std::string& content_type() const { return content_type_; }
    std::uint64_t digest() const { return digest_.finish(); }
    std::optional<std::uint64_t> skeleton();

    // The response was larger than the credit, so its bytes were dropped. Without
    // ReadOptions::takes_parts everything else was dropped too.
    bool has_overflowed() const { return has_overflowed_; }

    // Links or entries were left out: there was no credit for them, or they exceed the limits.
    bool is_cut() const { return is_cut_; }

    // The loan, which must be held as long as anything that was taken from this sink.
    BodyCredit::Loan take_loan() { return std::move(loan_); }

private:
    void drop_reader();
    void keep(std::string& where, std::string_view bytes);
    void keep_page(std::string_view piece);
    bool make_room(std::string& where, std::size_t needed);
    void read_page(std::string_view text);
    std::size_t held_bytes() const;
    std::size_t bytes_to_come() const;
    bool borrow(std::size_t bytes);
    void overflow();

    ReadOptions read_options_;
    BodyCredit::Loan loan_;
    std::size_t first_loan_bytes_;
    ReaderPool& readers_;
    std::size_t fetch_bytes_ = 0;     // Held by the client for this fetch.
    std::size_t finished_bytes_ = 0;  // Held by the finished page, sheet or listing.
    bool is_cut_ = false;
    std::size_t expected_bytes_ = 0;  // Of the content; set by on_start() and on_head().
    std::string request_;
    std::string wire_;
    std::string content_;
    std::string page_;
    bool keeps_page_ = false;
    bool is_page_cut_ = false;
    bool has_overflowed_ = false;
    std::string content_type_;  // Lower case, without parameters.
    Hash64 digest_;
    std::optional<web::PageDecoder> decoder_;
    std::optional<web::HtmlReader> reader_;
    std::unique_ptr<web::CssReader> style_;
    std::unique_ptr<ListingReader> listing_;
    std::optional<Skeleton> skeleton_;
};

}  // namespace weft::crawl
