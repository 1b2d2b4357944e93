#include "extract/text/flow.h"

#include <array>
#include <initializer_list>

namespace weft::extract {
namespace {

using enum web::Element;
using web::Element;

constexpr std::array<Flow, 256> kFlows = [] {
    std::array<Flow, 256> flows{};
    const auto set = [&](Flow flow, std::initializer_list<Element> elements) {
        for (const Element element : elements) flows[static_cast<std::size_t>(element)] = flow;
    };
    set(Flow::block, {address, article, aside,    body,     center,     dd,     details, dialog,
                      div,     dl,      dt,       fieldset, figcaption, figure, footer,  form,
                      header,  hgroup,  html,     main,     nav,        p,      search,  section,
                      summary, caption, noscript, optgroup, option,     tbody,  thead,   tfoot});
    set(Flow::line_break, {br});
    set(Flow::preformatted, {pre, listing, xmp, plaintext});
    set(Flow::heading, {h1, h2, h3, h4, h5, h6});
    set(Flow::list, {ul, ol, menu, dir});
    set(Flow::item, {li});
    set(Flow::quote, {blockquote});
    set(Flow::rule, {hr});
    set(Flow::table, {table});
    set(Flow::row, {tr});
    set(Flow::cell, {td, th});
    set(Flow::image, {img});
    set(Flow::hidden, {head,   title,  script, style,    template_, noframes, noembed,  iframe,
                       object, applet, embed,  audio,    video,     canvas,   textarea, select,
                       button, input,  frame,  frameset, svg,       math,     rp});
    return flows;
}();

}  // namespace

Flow flow_of(const web::HtmlNode& node) {
    return kFlows[static_cast<std::size_t>(node.element)];
}

int heading_level(const web::HtmlNode& node) {
    return 1 + static_cast<int>(node.element) - static_cast<int>(h1);
}

}  // namespace weft::extract
