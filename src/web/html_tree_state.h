#pragma once

#include "web/html_tokenizer.h"

namespace weft::web {

enum class Namespace : std::uint8_t { html, svg, mathml };

// What the tree builder makes of a start tag.
struct Placement {
    Element element = Element::unknown;  // `image` is made `img`.
    Namespace space = Namespace::html;
    HtmlText text = HtmlText::data;  // What the tokenizer reads next.
    bool is_inserted = true;         // False: the tag is ignored where it stands.
    bool is_in_template = false;
    bool is_in_noscript = false;
};

class HtmlTreeState {
public:
    Placement start_tag(const HtmlTag& tag);
    void end_tag(const HtmlTag& tag);
    void text(std::string_view) {}
    void doctype() {}
    bool wants_text() const { return false; }
    bool is_in_foreign_content() const { return false; }
    void reset() { *this = HtmlTreeState(); }

private:
    std::size_t template_depth_ = 0;
    std::size_t noscript_depth_ = 0;
};

}  // namespace weft::web
