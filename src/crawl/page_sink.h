#pragma once

#include <memory>
#include <optional>
#include <string>

#include "http/message.h"
#include "web/html.h"
#include "web/page_decoder.h"

namespace weft::crawl {

// What a visit keeps of an answer while it streams in: the links of a page, and the bytes as
// received if they are to be archived.
class PageSink final : public http::ResponseSink {
public:
    explicit PageSink(bool keeps_wire) : keeps_wire_(keeps_wire) {}

    void on_start() override;
    void on_request(std::string_view head) override { request_ = head; }
    void on_wire(std::string_view bytes) override;
    void on_head(const http::Response& response) override;
    void on_content(std::string_view piece) override;

    // The page, once the fetch is over; nothing if the answer was no HTML.
    std::optional<web::HtmlPage> finish();

    std::string take_request() { return std::move(request_); }
    std::string take_wire() { return std::move(wire_); }
    // Of the page; known after finish().
    web::Encoding encoding() const { return decoder_->encoding()->encoding; }
    const std::string& content_type() const { return content_type_; }

private:
    bool keeps_wire_;
    std::string request_;
    std::string wire_;
    std::string content_type_;  // Lower case, without parameters.
    std::optional<web::PageDecoder> decoder_;
    std::optional<web::HtmlReader> reader_;
};

}  // namespace weft::crawl
