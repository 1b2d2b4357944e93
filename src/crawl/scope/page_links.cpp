#include "crawl/scope/page_links.h"

#include <algorithm>
#include <iterator>

namespace weft::crawl {

PageLinks links_of(const web::Url& url, const http::Headers& headers, const web::HtmlPage* page,
                   PageSink& sink, const KnownReferences* known) {
    LinkList links(
        url, [&sink](std::size_t bytes) { return sink.lends_links(bytes); },
        web::HtmlOptions().link_count_max, known);
    links.add_headers(headers);
    if (page) links.add_page(*page, sink.encoding());
    if (const auto style = sink.finish_style()) links.add_style(*style);
    if (auto listing = sink.finish_listing()) {
        const Via via = listing->is_index ? Via::sitemap : Via::listed;
        for (std::string& location : listing->locations) {
            links.add(location, via);
            location = {};  // Freed at once: a listing may be large, and the link holds the URL.
        }
    }
    if (links.is_cut()) sink.note_cut();
    return {links.take(), links.known_count()};
}

}  // namespace weft::crawl
