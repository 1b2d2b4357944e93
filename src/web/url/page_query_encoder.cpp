#include "web/url/page_query_encoder.h"

#include "web/charset/encode_text.h"

namespace weft::web {

EncodedQuery PageQueryEncoder::encode(std::string_view utf8) const {
    EncodedQuery query;
    TextEncoder encoder(encoding_);
    // encode() stops at each character that the encoding lacks and goes on after it.
    while (const std::optional<char32_t> missing = encoder.encode(utf8, query.bytes)) {
        query.missing.push_back({query.bytes.size(), *missing});
    }
    encoder.finish(query.bytes);
    return query;
}

}  // namespace weft::web
