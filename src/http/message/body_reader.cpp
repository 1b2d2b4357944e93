#include "http/message/body_reader.h"

#include <utility>

#include <fmt/format.h>

namespace weft::http {

void BodyReader::reset() {
    // Field by field, so that transfer_codings keeps its memory.
    framing_.kind = Framing::none;
    framing_.length = 0;
    framing_.transfer_codings.clear();
    framing_.oddities = {};
    chunked_.reset();
    bytes_ = 0;
    is_done_ = true;
}

void BodyReader::start(BodyFraming framing, std::size_t field_count_max) {
    framing_ = std::move(framing);
    chunked_.reset();
    chunked_.allow_fields(field_count_max);
    bytes_ = 0;
    is_done_ = framing_.kind == Framing::none ||
               (framing_.kind == Framing::length && framing_.length == 0);
}

std::expected<BodyReader::Step, ParseError> BodyReader::next(std::string_view input) {
    if (is_done_) return Step{.done = true};
    if (framing_.kind == Framing::chunked) {
        const auto step = chunked_.next(input);
        if (!step) return step;
        bytes_ += step->data.size();
        is_done_ = step->done;
        return step;
    }
    // `length` and `until_close` need no decoding: the input itself is the body. substr() also
    // limits the piece, so that the first bytes of a next message are not taken.
    std::string_view piece = input;
    if (framing_.kind == Framing::length) piece = input.substr(0, framing_.length - bytes_);
    bytes_ += piece.size();
    is_done_ = framing_.kind == Framing::length && bytes_ == framing_.length;
    return Step{.consumed = piece.size(), .data = piece};
}

std::expected<void, ParseError> BodyReader::finish(StreamEnd how) {
    // Only a clean close proves that a body without a length is complete (H59).
    if (framing_.kind == Framing::until_close && how == StreamEnd::clean) is_done_ = true;
    if (is_done_) return {};
    return std::unexpected(ParseError::truncated_body);
}

Oddities BodyReader::oddities() const {
    Oddities all = framing_.oddities;
    all.add(chunked_.oddities());
    return all;
}

std::string BodyReader::progress() const {
    if (framing_.kind == Framing::length) {
        return fmt::format("{} of {} bytes", bytes_, framing_.length);
    }
    const bool lacks_chunk = framing_.kind == Framing::chunked && !is_done_;
    return fmt::format("{} bytes{}", bytes_, lacks_chunk ? ", last chunk missing" : "");
}

}  // namespace weft::http
