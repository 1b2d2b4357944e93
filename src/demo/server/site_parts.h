#pragma once

#include "demo/server/site_part.h"

// Every part of the demo web, under the file that defines it. hosts.cpp says which host has which
// parts.
namespace weft::demo {

// articles.cpp: the gazette's home page, six sections, and a tree of articles in each.
std::optional<Document> articles(const DemoPlace& place);
std::string article_path(const Options& options, unsigned index);

// plain.cpp: the plain site.
std::optional<Document> plain_pages(const DemoPlace& place);

// about.cpp: the list of parts, what the other hosts are, and a contact page without an address.
std::optional<Document> about(const DemoPlace& place);

// spellings.cpp: one page in thirty spellings, <base>, and text that looks like a link but is not
// one.
std::optional<Document> spellings(const DemoPlace& place);
std::optional<Document> base_href(const DemoPlace& place);
std::optional<Document> not_links(const DemoPlace& place);

// media.cpp: style sheets, a script, images, and a page that embeds them in every way.
std::optional<Document> media(const DemoPlace& place);

// crossroads.cpp: redirects, and the pages where they end.
std::optional<Document> crossroads(const DemoPlace& place);

// broken.cpp: links to pages that do not exist.
std::optional<Document> broken(const DemoPlace& place);

// downloads.cpp: documents that are not HTML, and pages that are copies.
std::optional<Document> downloads(const DemoPlace& place);
std::optional<Document> copies(const DemoPlace& place);

// manners.cpp: robots.txt, the pages that it disallows, nofollow and noindex.
std::optional<Document> robots_txt(const DemoPlace& place);
std::optional<Document> manners(const DemoPlace& place);

// sitemaps.cpp: sitemaps, an index, a compressed one, and the library that needs them.
std::optional<Document> sitemaps(const DemoPlace& place);
std::optional<Document> library(const DemoPlace& place);

// slow.cpp: slow responses.
std::optional<Document> slow_pages(const DemoPlace& place);

// calendar.cpp: a crawler trap.
std::optional<Document> calendar(const DemoPlace& place);

// babel.cpp: character sets, content types, codings.
std::optional<Document> babel(const DemoPlace& place);

// hostile.cpp: responses that break crawlers (reference W1 to W18).
std::optional<Document> hostile(const DemoPlace& place);

}  // namespace weft::demo
