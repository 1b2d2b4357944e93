#include <chrono>

#include "crawl/run/hooks.h"
#include "crawl/visit/page_text.h"

namespace weft::crawl {

const extract::Extract& Page::extract() {
    if (extracted) return *extracted;
    extracted.emplace();
    if (!html) return *extracted;
    if (!extractor) extractor.emplace(wishes);
    const std::vector<extract::NamedValue> fields = reservation_fields(response.headers);
    extractor->read(
        {.html = content,
         .content_type = response.headers.get("Content-Type").value_or(""),
         .url = url.href(),
         .headers = fields,
         .last_day = std::chrono::floor<std::chrono::days>(outcome.date) + std::chrono::days(1)});
    *extracted = extractor->take();
    return *extracted;
}

void Page::follow(std::string_view reference) {
    LinkList more(url);
    more.add(reference, Via::link);
    for (FoundLink& link : more.take()) links.push_back(std::move(link));
}

}  // namespace weft::crawl
