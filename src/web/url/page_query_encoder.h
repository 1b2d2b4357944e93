#pragma once

#include "web/charset/encoding.h"
#include "web/url/url.h"

namespace weft::web {

// Writes the queries of a page's links in the page's own encoding, as browsers do: give it to
// Url::resolve() for links of pages that are not UTF-8. Usable from many threads at once.
class PageQueryEncoder final : public QueryEncoder {
public:
    explicit PageQueryEncoder(Encoding encoding) : encoding_(encoding) {}

    EncodedQuery encode(std::string_view utf8) const override;

private:
    Encoding encoding_;
};

}  // namespace weft::web
