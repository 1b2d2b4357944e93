#pragma once

#include <vector>

#include "crawl/scope/links.h"
#include "crawl/visit/page_sink.h"
#include "http/message/headers.h"
#include "web/html/html.h"
#include "web/url/url.h"

namespace weft::crawl {

// Where a good answer leads: its header fields, the page (null if it is none), and the style sheet
// or listing that the sink has read. Once, when the answer is over. Links for which the sink finds
// no credit are left out; it then knows that.
std::vector<FoundLink> links_of(const web::Url& url, const http::Headers& headers,
                                const web::HtmlPage* page, PageSink& sink);

}  // namespace weft::crawl
