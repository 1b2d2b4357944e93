#pragma once

#include <vector>

#include "crawl/scope/links.h"
#include "crawl/visit/page_sink.h"
#include "http/message/headers.h"
#include "web/html/html.h"
#include "web/url/url.h"

namespace weft::crawl {

struct PageLinks {
    std::vector<FoundLink> found;
    std::size_t known_count = 0;  // Further links, which are known.
};

// The links of a response: those of its header fields, of the page (null if it is not HTML), and of
// the style sheet or listing that the sink has read. Links for which the sink has no credit are
// left out, and the sink is marked as cut. Links of the page that are `known` (may be null) are
// only counted. Call it once, after the fetch.
PageLinks links_of(const web::Url& url, const http::Headers& headers, const web::HtmlPage* page,
                   PageSink& sink, const KnownReferences* known = nullptr);

}  // namespace weft::crawl
