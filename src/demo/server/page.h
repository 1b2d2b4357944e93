#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "demo/server/room.h"

namespace weft::demo {

// An HTML page under construction: what is written and where it leads grow together, so that the
// truth can be told without parsing. Text is escaped unless a function says markup.
class Page {
public:
    // Begins with the host's navigation.
    Page(const Place& place, std::string_view title);

    Page& text(std::string_view words);
    Page& heading(std::string_view words);

    // `count` paragraphs of made prose.
    Page& prose(unsigned count);

    // A line with one link, written as plainly as can be.
    Page& link(std::string_view target, std::string_view words);

    // A line with one link whose href is written as `href`, and that means `target`.
    Page& link_as(std::string_view href, std::string_view target, std::string_view words);

    // A picture, in a figure.
    Page& image(std::string_view target, std::string_view words);

    // As is, in the body or in the head; name where it leads with edge().
    Page& markup(std::string_view html);
    Page& head(std::string_view html);
    Page& edge(std::string_view target, Reach reach = Reach::link);

    Document finish();

private:
    const Place& place_;
    std::string title_;
    std::string head_;
    std::string body_;
    Document document_;
};

// A short page for a status that is no success.
Document error_page(const Place& place, int status, std::string_view words);

// A redirect that spells its target `location`.
Document redirect(int status, std::string_view location, std::string_view target);

// A document that is no page.
Document file(std::string_view type, std::string body);

}  // namespace weft::demo
