#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "demo/server/site_part.h"

namespace weft::demo {

// An HTML page under construction. It records the markup and the links together, so that the truth
// is known without parsing. Text is escaped, except in functions that take markup.
class PageWriter {
public:
    // Begins with the host's navigation. `place` outlives the page.
    PageWriter(const DemoPlace& place, std::string_view title);

    PageWriter& text(std::string_view words);
    PageWriter& heading(std::string_view words);

    // Adds `count` paragraphs of generated prose.
    PageWriter& prose(unsigned count);

    // A line with one link, in the plainest spelling.
    PageWriter& link(std::string_view target, std::string_view words);

    // A line with one link that is spelled `href` and leads to `target`.
    PageWriter& link_as(std::string_view href, std::string_view target, std::string_view words);

    // An image in a figure.
    PageWriter& image(std::string_view target, std::string_view words);

    // Adds markup unchanged, to the body or to the head. Record its links with edge().
    PageWriter& markup(std::string_view html);
    PageWriter& head(std::string_view html);
    PageWriter& edge(std::string_view target, Reach reach = Reach::link);

    Document finish();

private:
    const DemoPlace& place_;
    std::string title_;
    std::string head_;
    std::string body_;
    Document document_;
};

// A short page for an error status.
Document error_page(const DemoPlace& place, int status, std::string_view words);

// A redirect to `target`, which its Location header spells `location`.
Document redirect(int status, std::string_view location, std::string_view target);

// A document that is not HTML.
Document file(std::string_view type, std::string body);

}  // namespace weft::demo
