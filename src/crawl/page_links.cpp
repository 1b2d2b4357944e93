#include "crawl/page_links.h"

#include <algorithm>
#include <iterator>

namespace weft::crawl {

std::vector<FoundLink> links_of(const web::Url& url, const http::Headers& headers,
                                const web::HtmlPage* page, PageSink& sink) {
    LinkList links(url);
    links.add_headers(headers);
    if (page) links.add_page(*page, sink.encoding());
    if (const auto style = sink.finish_style()) links.add_style(*style);
    std::vector<FoundLink> found = links.take();
    if (const auto listing = sink.finish_listing()) {
        LinkList listed(url, limits::kSitemapLocationCountMax);
        const Via via = listing->is_index ? Via::sitemap : Via::listed;
        for (const std::string& location : listing->locations) listed.add(location, via);
        std::ranges::move(listed.take(), std::back_inserter(found));
    }
    return found;
}

}  // namespace weft::crawl
