#include "demo/server/page.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "base/hash.h"
#include "demo/server/prose.h"

namespace weft::demo {

PageWriter::PageWriter(const DemoPlace& place, std::string_view title)
    : place_(place), title_(title) {
    body_ += "<header><nav>\n";
    for (const auto& [path, words] : place.host->nav) {
        fmt::format_to(std::back_inserter(body_), "<a href=\"{}\">{}</a>\n", path, words);
        edge(path);
    }
    fmt::format_to(std::back_inserter(body_), "</nav></header>\n<main>\n<h1>{}</h1>\n",
                   escape_for_html(title));
}

PageWriter& PageWriter::text(std::string_view words) {
    return markup(fmt::format("<p>{}</p>\n", escape_for_html(words)));
}

PageWriter& PageWriter::heading(std::string_view words) {
    return markup(fmt::format("<h2>{}</h2>\n", escape_for_html(words)));
}

PageWriter& PageWriter::prose(unsigned count) {
    // The text depends on the place and the seed only, so that a page is the same each time.
    Prose prose(hash64(place_.target(), place_.options->seed));
    for (unsigned i = 0; i < count; ++i) text(prose.paragraph());
    return *this;
}

PageWriter& PageWriter::link(std::string_view target, std::string_view words) {
    return link_as(escape_for_html(target), target, words);
}

PageWriter& PageWriter::link_as(std::string_view href, std::string_view target,
                                std::string_view words) {
    edge(target);
    return markup(
        fmt::format("<p class=\"link\"><a href=\"{}\">{}</a></p>\n", href, escape_for_html(words)));
}

PageWriter& PageWriter::image(std::string_view target, std::string_view words) {
    edge(target, Reach::asset);
    return markup(
        fmt::format("<figure><img src=\"{0}\" alt=\"{1}\" width=\"64\" height=\"64\">"
                    "<figcaption>{1}</figcaption></figure>\n",
                    escape_for_html(target), escape_for_html(words)));
}

PageWriter& PageWriter::markup(std::string_view html) {
    body_ += html;
    return *this;
}

PageWriter& PageWriter::head(std::string_view html) {
    head_ += html;
    return *this;
}

PageWriter& PageWriter::edge(std::string_view target, Reach reach) {
    document_.edges.push_back({std::string(target), reach});
    return *this;
}

Document PageWriter::finish() {
    std::string style = "<style>body{max-width:44em;margin:2em auto}</style>\n";
    if (!place_.host->is_plain) {
        style = "<link rel=\"stylesheet\" href=\"/style.css\">\n";
        edge("/style.css", Reach::asset);
    }
    // Plain hosts have their style inline: they must name no other file.
    document_.body = fmt::format(
        "<!DOCTYPE html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n"
        "<title>{} - {}</title>\n{}{}</head>\n<body>\n{}</main>\n"
        "<footer>{}: {}.</footer>\n</body>\n</html>\n",
        escape_for_html(title_), place_.host->title, head_, style, body_, place_.host->name,
        place_.host->character);
    return std::move(document_);
}

Document error_page(const DemoPlace& place, int status, std::string_view words) {
    PageWriter page(place, fmt::format("{}", status));
    Document document = page.text(words).finish();
    document.status = status;
    document.edges.clear();  // A crawler need not follow links of an error page.
    return document;
}

Document redirect(int status, std::string_view location, std::string_view target) {
    Document document = file("text/plain; charset=utf-8", fmt::format("Go to {}\n", location));
    document.status = status;
    document.headers.emplace_back("Location", location);
    document.redirect = target;
    return document;
}

Document file(std::string_view type, std::string body) {
    Document document;
    document.type = type;
    document.body = std::move(body);
    return document;
}

}  // namespace weft::demo
