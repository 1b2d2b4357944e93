#pragma once

#include "web/charset/encoding.h"
#include "web/url/url.h"

namespace weft::web {

// Writes the query of a link in the encoding of its page, as browsers do. Pass it to Url::resolve()
// for links of pages that are not UTF-8. It has no mutable state: many threads may use it at once.
class PageQueryEncoder final : public QueryEncoder {
public:
    explicit PageQueryEncoder(Encoding encoding) : encoding_(encoding) {}

    EncodedQuery encode(std::string_view utf8) const override;

private:
    Encoding encoding_;
};

}  // namespace weft::web
