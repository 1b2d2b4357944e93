#pragma once

#include <vector>

#include "web/encoding.h"
#include "web/html.h"
#include "web/url.h"

namespace weft::crawl {

// The URLs that a page leads to: what a reader may go to, and what the page needs to be shown.
// Resolved against its base, without fragments, each once, in source order. Empty when the page
// itself asks not to follow (meta robots nofollow).
// `encoding` is the page's: queries of its links are written in it.
std::vector<web::Url> links_of(const web::HtmlPage& page, const web::Url& page_url,
                               web::Encoding encoding);

}  // namespace weft::crawl
