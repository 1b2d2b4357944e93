#include "crawl/page_sink.h"

#include "base/bytes.h"

namespace weft::crawl {

void PageSink::on_start() {
    request_.clear();
    wire_.clear();
    content_type_.clear();
    decoder_.reset();
    reader_.reset();
}

void PageSink::on_wire(std::string_view bytes) {
    if (keeps_wire_) wire_ += bytes;
}

void PageSink::on_head(const http::Response& response) {
    const std::string_view header = response.headers.get("Content-Type").value_or("");
    content_type_ = to_lower(trim(header.substr(0, header.find(';'))));
    if (content_type_ != "text/html" && content_type_ != "application/xhtml+xml") return;
    decoder_.emplace(header);
    reader_.emplace();
}

void PageSink::on_content(std::string_view piece) {
    if (reader_) reader_->feed(decoder_->feed(piece));
}

std::optional<web::HtmlPage> PageSink::finish() {
    if (!reader_) return std::nullopt;
    reader_->feed(decoder_->finish());
    return reader_->finish();
}

}  // namespace weft::crawl
