#include "web/html_tree_state.h"

namespace weft::web {

Placement HtmlTreeState::start_tag(const HtmlTag& tag) {
    Placement placement{.element = tag.element};
    placement.is_in_template = template_depth_ > 0;
    placement.is_in_noscript = noscript_depth_ > 0;
    switch (tag.element) {
        case Element::title:
        case Element::textarea: placement.text = HtmlText::rcdata; break;
        case Element::style:
        case Element::xmp:
        case Element::iframe:
        case Element::noembed:
        case Element::noframes: placement.text = HtmlText::rawtext; break;
        case Element::script: placement.text = HtmlText::script_data; break;
        case Element::plaintext: placement.text = HtmlText::plaintext; break;
        case Element::template_: ++template_depth_; break;
        case Element::noscript: ++noscript_depth_; break;
        default: break;
    }
    return placement;
}

void HtmlTreeState::end_tag(const HtmlTag& tag) {
    if (tag.element == Element::template_ && template_depth_ > 0) --template_depth_;
    if (tag.element == Element::noscript && noscript_depth_ > 0) --noscript_depth_;
}

}  // namespace weft::web
