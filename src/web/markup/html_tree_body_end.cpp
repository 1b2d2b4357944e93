#include <utility>

#include "web/markup/html_tree_state.h"

// The insertion mode "in body" (HTML standard, section 13.2.6.4.7): end tags.
namespace weft::web {

using enum Element;

HtmlTreeState::Verdict HtmlTreeState::body_end(const Token& token) {
    switch (token.element) {
        case template_: return in_head(token);
        case body:
        case html: return end_body(token);
        case form: end_form(); break;
        case p:
            // "</p>" without "<p>" makes an empty paragraph.
            if (!open_.has_in_button_scope(p)) open_implied(p);
            close_p();
            break;
        case br:
            reconstruct();  // "</br>" means "<br>".
            add_node(br, Namespace::html, nullptr);
            is_frameset_ok_ = false;
            break;
        case li:
        case dd:
        case dt: end_item(token); break;
        case h1:
        case h2:
        case h3:
        case h4:
        case h5:
        case h6: end_heading(); break;
        case applet:
        case marquee:
        case object: end_object(token); break;
        default:
            if (ends_block(token.element)) {
                end_block(token);
            } else if ((traits_of(token.element, Namespace::html) & kFormatting) == 0 ||
                       !formatting_.close(token.element, open_, nodes_)) {
                any_other_end(token);
            }
            break;
    }
    return Verdict::done;
}

HtmlTreeState::Verdict HtmlTreeState::end_body(const Token& token) {
    if (!open_.has_in_scope(body)) return Verdict::done;
    mode_ = Mode::after_body;
    return token.element == html ? Verdict::again : Verdict::done;
}

bool HtmlTreeState::ends_block(Element element) {
    switch (element) {
        case address:
        case article:
        case aside:
        case blockquote:
        case button:
        case center:
        case details:
        case dialog:
        case dir:
        case div:
        case dl:
        case fieldset:
        case figcaption:
        case figure:
        case footer:
        case header:
        case hgroup:
        case listing:
        case main:
        case menu:
        case nav:
        case ol:
        case pre:
        case search:
        case section:
        case select:
        case summary:
        case ul: return true;
        default: return false;
    }
}

void HtmlTreeState::end_block(const Token& token) {
    if (open_.current_is(token.element)) return open_.pop();  // The usual case: well-formed.
    if (!open_.has_in_scope(token.element)) return;
    open_.generate_implied_end_tags();
    open_.pop_until(token.element);
}

// Outside of templates the form that was opened last is closed, wherever it is in the stack.
// Elements inside it stay open.
void HtmlTreeState::end_form() {
    if (open_.has(template_)) {
        if (!open_.has_in_scope(form)) return;
        open_.generate_implied_end_tags();
        return open_.pop_until(form);
    }
    const std::uint32_t serial = std::exchange(form_, 0);
    if (serial == 0 || !open_.has_in_scope(form)) return;
    open_.generate_implied_end_tags();
    const std::size_t at = open_.find(serial);
    if (at == OpenElements::npos) return;
    open_.erase(at);
    formatting_.follow(open_, at, 1);
}

void HtmlTreeState::end_item(const Token& token) {
    const bool is_in_scope = token.element == li ? open_.has_in_scope(li, kScopeEnd | kListScopeEnd)
                                                 : open_.has_in_scope(token.element);
    if (!is_in_scope) return;
    open_.generate_implied_end_tags(token.element);
    open_.pop_until(token.element);
}

// The end tag of any heading closes the open heading, also one of another level.
void HtmlTreeState::end_heading() {
    static constexpr Element kHeadings[] = {h1, h2, h3, h4, h5, h6};
    if (!open_.has_any_in_scope(kHeadings, kScopeEnd)) return;
    open_.generate_implied_end_tags();
    for (bool was_heading = false; !was_heading;) {
        const OpenElement& node = open_.current();
        was_heading = node.space == Namespace::html && node.element >= h1 && node.element <= h6;
        open_.pop();
    }
}

void HtmlTreeState::end_object(const Token& token) {
    if (!open_.has_in_scope(token.element)) return;
    open_.generate_implied_end_tags();
    open_.pop_until(token.element);
    formatting_.clear_to_marker();
}

// "Any other end tag": closes the nearest element of that name, but not across a special element.
void HtmlTreeState::any_other_end(const Token& token) {
    const std::uint32_t name = token.name();
    for (std::size_t k = open_.size(); k-- > 0;) {
        ++step_count_;
        if (open_[k].name == name && open_[k].space == Namespace::html) return open_.pop_to(k);
        if ((open_[k].traits & kSpecial) != 0) return;
    }
}

}  // namespace weft::web
