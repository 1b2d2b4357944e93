#pragma once

#include "demo/server/room.h"

// Every room of the made web, by the file that holds it. Which host has which is in hosts.cpp.
namespace weft::demo {

// articles.cpp: the gazette's home page, six sections, and a tree of articles in each.
std::optional<Document> articles(const Place& place);
std::string article_path(const Options& options, unsigned index);

// plain.cpp: the plain site.
std::optional<Document> plain_pages(const Place& place);

// about.cpp: the list of rooms, what the other hosts are, and how to write to nobody.
std::optional<Document> about(const Place& place);

// spellings.cpp: one page in thirty spellings, <base>, and what looks like a link but is none.
std::optional<Document> spellings(const Place& place);
std::optional<Document> base_href(const Place& place);
std::optional<Document> not_links(const Place& place);

// media.cpp: style sheets, a script, pictures, and a page that shows them in every way.
std::optional<Document> media(const Place& place);

// crossroads.cpp: redirects, and the pages where they end.
std::optional<Document> crossroads(const Place& place);

// broken.cpp: links to nothing.
std::optional<Document> broken(const Place& place);

// downloads.cpp: documents that are no pages, and pages that are copies.
std::optional<Document> downloads(const Place& place);
std::optional<Document> copies(const Place& place);

// manners.cpp: robots.txt, what it keeps out, nofollow and noindex.
std::optional<Document> robots_txt(const Place& place);
std::optional<Document> manners(const Place& place);

// sitemaps.cpp: sitemaps, an index, a packed one, and the library that needs them.
std::optional<Document> sitemaps(const Place& place);
std::optional<Document> library(const Place& place);

// slow.cpp: late answers.
std::optional<Document> slow_pages(const Place& place);

// calendar.cpp: a trap.
std::optional<Document> calendar(const Place& place);

// babel.cpp: character sets, content types, codings.
std::optional<Document> babel(const Place& place);

// hostile.cpp: what breaks crawlers (reference W1 to W18).
std::optional<Document> hostile(const Place& place);

}  // namespace weft::demo
