#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/hash.h"
#include "crawl/body_credit.h"
#include "crawl/listing_reader.h"
#include "crawl/trap_watch.h"
#include "http/message.h"
#include "web/css.h"
#include "web/html.h"
#include "web/page_decoder.h"

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
// a digest, and the bytes themselves if they are wanted and credit is there.
class PageSink final : public http::ResponseSink {
public:
    // `readers` outlives the sink.
    PageSink(PageWishes wishes, BodyCredit::Loan loan, ReaderPool& readers)
        : wishes_(wishes), loan_(std::move(loan)), readers_(readers) {}
    ~PageSink() override { drop_reader(); }
    PageSink(const PageSink&) = delete;
    PageSink& operator=(const PageSink&) = delete;

    void on_start() override;
    void on_request(std::string_view head) override;
    void on_wire(std::string_view bytes) override;
    void on_head(const http::Response& response) override;
    void on_content(std::string_view piece) override;

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

    // The answer was larger than the credit: its bytes were not kept.
    bool has_overflowed() const { return has_overflowed_; }

    // What was lent for the bytes, to be held as long as they are.
    BodyCredit::Loan take_loan() { return std::move(loan_); }

private:
    void drop_reader();
    void keep(std::string& where, std::string_view bytes);

    PageWishes wishes_;
    BodyCredit::Loan loan_;
    ReaderPool& readers_;
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
