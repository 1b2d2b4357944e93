#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>

#include "web/charset/decode_text.h"
#include "web/charset/sniff_encoding.h"

namespace weft::web {

// The text of an HTML page, as UTF-8, from its bytes as they arrive: finds the encoding, then
// decodes. The text does not depend on how the bytes are cut.
//
// Holds bytes back only while they do not settle the encoding: none if the HTTP header names one,
// up to the meta tag if the page does, at most limits::kSniffBytesMax if nobody does.
class PageDecoder {
public:
    explicit PageDecoder(std::string_view content_type_header)
        : content_type_header_(content_type_header) {}

    // The text that is now known; may be empty. Valid until the next call, and if it is UTF-8 that
    // arrived, only as long as `bytes`.
    std::string_view feed(std::string_view bytes);

    // The rest of the text; valid as long as the decoder. To be called once, at the end.
    std::string_view finish();

    // A guess until there is text or finish() was called.
    const std::optional<EncodingGuess>& encoding() const { return guess_; }

private:
    void settle(std::string_view bytes, bool is_last);

    std::string content_type_header_;
    std::string held_;           // What came before the encoding was known.
    std::size_t looked_at_ = 0;  // Bytes that `guess_` comes from,
    std::size_t next_look_ = 0;  // and held bytes at which to look again.
    std::optional<EncodingGuess> guess_;
    std::optional<TextDecoder> decoder_;
    std::string scratch_;
};

}  // namespace weft::web
