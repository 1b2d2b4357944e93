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

// What is wanted of an answer.
struct PageWishes {
    bool keeps_wire = false;     // The bytes as received, for an archive.
    bool keeps_content = false;  // The content, for a handler.
    bool reads_styles = false;   // URLs in style sheets.
    bool is_sitemap = false;     // Whatever its type says.
    bool wants_skeleton = false;
    std::string_view url = {};                // Outlives the sink, as does
    std::uint64_t* received_bytes = nullptr;  // what counts the content that comes in.

    // The most that comes as received, or as content: buffers grow no further.
    std::size_t bytes_max = SIZE_MAX;

    // What finds no credit is left out, and what was read before counts; else the fetch ends there,
    // to be tried again with a larger loan.
    bool takes_parts = true;

    std::size_t link_copies = 1;  // How often a link is held on its way into the logs.
};

// Readers of pages that were used before: making one costs more than reading a small page.
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

// What a visit keeps of an answer while it streams in: the links of a page, style sheet or listing,
// a digest, and the bytes themselves if they are wanted. All of it is lent: what finds no credit is
// not kept.
class PageSink final : public http::ResponseSink, public http::MemoryLender {
public:
    // `readers` outlives the sink.
    PageSink(PageWishes wishes, BodyCredit::Loan loan, ReaderPool& readers)
        : wishes_(wishes),
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

    // For the links of the page, in all; to be held as long as the loan is.
    bool lends_links(std::size_t bytes);
    void note_cut() { is_cut_ = true; }

    // Each once, when the fetch is over; nothing if the answer was none.
    std::optional<web::HtmlPage> finish_page();
    std::optional<std::vector<web::CssUrl>> finish_style();
    std::optional<Listing> finish_listing();

    std::string take_request() { return std::move(request_); }
    std::string take_wire() { return std::move(wire_); }
    std::string take_content() { return std::move(content_); }

    // Of the page; known after finish_page().
    web::Encoding encoding() const { return decoder_->encoding()->encoding; }
    const std::string& content_type() const { return content_type_; }
    std::uint64_t digest() const { return digest_.finish(); }
    std::optional<std::uint64_t> skeleton();

    // The answer was larger than the credit: its bytes were not kept. Unless parts are taken,
    // nothing of it was.
    bool has_overflowed() const { return has_overflowed_; }

    // Links or entries were left out: there was no credit for them, or more than the limits allow.
    bool is_cut() const { return is_cut_; }

    // What was lent, to be held as long as anything of the answer is.
    BodyCredit::Loan take_loan() { return std::move(loan_); }

private:
    void drop_reader();
    void keep(std::string& where, std::string_view bytes);
    void read_page(std::string_view text);
    std::size_t held_bytes() const;
    std::size_t bytes_to_come() const;
    bool borrow(std::size_t bytes);
    void overflow();

    PageWishes wishes_;
    BodyCredit::Loan loan_;
    std::size_t first_loan_bytes_;
    ReaderPool& readers_;
    std::size_t fetch_bytes_ = 0;     // Held by the fetch,
    std::size_t finished_bytes_ = 0;  // and by what was finished: page, sheet, listing.
    bool is_cut_ = false;
    std::string request_;
    std::string wire_;
    std::string content_;
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
