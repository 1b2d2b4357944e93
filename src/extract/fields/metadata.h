#pragma once

#include <string>
#include <string_view>

#include "extract/extract.h"
#include "extract/fields/json_ld.h"
#include "extract/fields/open_graph.h"
#include "extract/fields/page_date.h"
#include "extract/kept_nodes.h"
#include "web/tree/html_tree.h"

namespace weft::extract {

// Where the fields are read from.
struct MetadataSources {
    const web::HtmlTree& tree;
    const MetaTags& metas;
    const JsonLdFacts& json_ld;
    KeptNodes kept;  // The main content.
    std::string_view url;
    DayRange days;
};

// Each field is the first that answers:
// - title: the h1 that title or og:title has; the h1 that is close to them, of an article also one
//   that is less close; title without the site's name, og:title, the headline of JSON-LD, the h1.
//   An h1 that links to the site's first page is the site's name;
// - byline: JSON-LD, meta tags, rel=author, itemprop=author, class words near the content. The
//   site's own name only if no other is found;
// - published: JSON-LD, meta tags, the URL, itemprop=datePublished, time elements and class words
//   before or in the content, then those after it. The URL's day also wins over a time that differs
//   by a day, as times in UTC do.
Metadata read_metadata(const MetadataSources& sources);

inline constexpr std::size_t kTitleBytesMax = 1000;
inline constexpr std::size_t kBylineCharsMax = 80;

}  // namespace weft::extract
