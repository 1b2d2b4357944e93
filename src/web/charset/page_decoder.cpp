#include "web/charset/page_decoder.h"

#include <algorithm>

namespace weft::web {

std::string_view PageDecoder::feed(std::string_view bytes) {
    if (decoder_) {
        held_ = {};  // The view that the last call may have returned has ended.
        return decoder_->feed_view(bytes, scratch_);
    }
    if (held_.empty()) {
        settle(bytes, false);
        if (decoder_) return decoder_->feed_view(bytes, scratch_);
        held_ = bytes;
        return {};
    }
    held_ += bytes;
    // Each guess reads all held bytes. With a guess for every small piece the work would be
    // quadratic, so the next guess waits until their number has doubled.
    if (held_.size() >= next_look_) settle(held_, false);
    if (!decoder_) return {};
    return decoder_->feed_view(held_, scratch_);
}

std::string_view PageDecoder::finish() {
    if (!decoder_) {
        settle(held_, true);
        scratch_.clear();
        decoder_->feed(held_, scratch_);
    } else {
        scratch_.clear();
    }
    decoder_->finish(scratch_);
    return scratch_;
}

void PageDecoder::settle(std::string_view bytes, bool is_last) {
    // At the end there may be no new bytes; then the last guess is still right.
    if (!guess_ || bytes.size() != looked_at_) guess_ = guess_encoding(bytes, content_type_header_);
    looked_at_ = bytes.size();
    next_look_ = std::min<std::size_t>(2 * bytes.size(), limits::kSniffBytesMax);
    if (guess_->is_final || is_last) decoder_.emplace(guess_->encoding);
}

}  // namespace weft::web
