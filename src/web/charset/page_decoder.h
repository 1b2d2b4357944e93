#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "web/charset/decode_text.h"
#include "web/charset/sniff_encoding.h"

namespace weft::web {

// Decodes the bytes of an HTML page to UTF-8 while they arrive. It finds the encoding first. The
// cuts between pieces do not change the text.
//
// It holds bytes back only until the encoding is known: no bytes if the HTTP header names it, those
// up to the meta tag if the page names it, at most limits::kSniffBytesMax otherwise. Used by one
// thread at a time.
class PageDecoder {
public:
    explicit PageDecoder(std::string_view content_type_header)
        : content_type_header_(content_type_header) {}

    // The text that is known now; it may be empty. It is valid until the next call, but no longer
    // than `bytes`: for UTF-8 it may be a view of them.
    std::string_view feed(std::string_view bytes);

    // The rest of the text, valid as long as the decoder. REQUIRES: called once, at the end.
    std::string_view finish();

    // May change until there is text or finish() was called.
    const std::optional<EncodingGuess>& encoding() const { return guess_; }

private:
    void settle(std::string_view bytes, bool is_last);

    std::string content_type_header_;
    std::string held_;           // The bytes that came before the encoding was known.
    std::size_t looked_at_ = 0;  // The number of bytes that `guess_` is made from.
    std::size_t next_look_ = 0;  // The number of held bytes at which to guess again.
    std::optional<EncodingGuess> guess_;
    std::optional<TextDecoder> decoder_;
    std::string scratch_;
};

}  // namespace weft::web
