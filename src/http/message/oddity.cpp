#include "http/message/oddity.h"

#include <utility>

namespace weft::http {

std::string_view name_of(Oddity oddity) {
    switch (oddity) {
        case Oddity::leading_empty_line: return "leading-empty-line";
        case Oddity::bare_lf: return "bare-lf";
        case Oddity::folded_field: return "folded-field";
        case Oddity::repeated_length: return "repeated-length";
        case Oddity::empty_length: return "empty-length";
        case Oddity::length_and_transfer_encoding: return "length-and-transfer-encoding";
        case Oddity::transfer_encoding_in_http10: return "transfer-encoding-in-http10";
        case Oddity::odd_transfer_encoding: return "odd-transfer-encoding";
        case Oddity::padded_chunk_size: return "padded-chunk-size";
        case Oddity::unexpected_body: return "unexpected-body";
    }
    std::unreachable();
}

std::string Oddities::names() const {
    std::string names;
    // `unexpected_body` is the last enumerator.
    for (unsigned i = 0; i <= static_cast<unsigned>(Oddity::unexpected_body); ++i) {
        const Oddity oddity = static_cast<Oddity>(i);
        if (!has(oddity)) continue;
        if (!names.empty()) names += ' ';
        names += name_of(oddity);
    }
    return names;
}

}  // namespace weft::http
