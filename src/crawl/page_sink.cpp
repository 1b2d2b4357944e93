#include "crawl/page_sink.h"

#include "base/bytes.h"
#include "web/sniff_encoding.h"

namespace weft::crawl {

void PageSink::on_start() {
    request_.clear();
    wire_.clear();
    content_type_.clear();
    first_bytes_.clear();
    decoder_.reset();
    reader_.reset();
}

void PageSink::on_wire(std::string_view bytes) {
    if (keeps_wire_) wire_ += bytes;
}

void PageSink::on_head(const http::Response& response) {
    content_header_ = response.headers.get("Content-Type").value_or("");
    const std::string_view header = content_header_;
    content_type_ = to_lower(trim(header.substr(0, header.find(';'))));
    if (content_type_ == "text/html" || content_type_ == "application/xhtml+xml") reader_.emplace();
}

void PageSink::on_content(std::string_view piece) {
    if (!reader_) return;
    if (!decoder_) {
        first_bytes_ += piece;
        const web::EncodingGuess guess = web::guess_encoding(first_bytes_, content_header_);
        if (!guess.is_final && first_bytes_.size() < limits::kSniffBytesMax) return;
        start_decoding();
        return;
    }
    reader_->feed(decoder_->feed_view(piece, scratch_));
}

void PageSink::start_decoding() {
    decoder_.emplace(web::sniff_encoding(first_bytes_, content_header_));
    reader_->feed(decoder_->feed_view(first_bytes_, scratch_));
    first_bytes_.clear();
}

std::optional<web::HtmlPage> PageSink::finish() {
    if (!reader_) return std::nullopt;
    if (!decoder_) start_decoding();
    std::string rest;
    static_cast<void>(decoder_->finish(rest));
    reader_->feed(rest);
    return reader_->finish();
}

}  // namespace weft::crawl
