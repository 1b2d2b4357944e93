#include "web/markup/html_tree_state.h"

#include "base/bytes.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_scan.h"

// The dispatcher of tree construction (HTML standard, section 13.2.6), and foreign content (section
// 13.2.6.5).
namespace weft::web {
namespace {

// <annotation-xml encoding="text/html"> contains HTML.
bool is_html_annotation(const HtmlTag& tag) {
    const auto raw = tag.find("encoding");
    if (!raw) return false;
    std::string scratch;
    const std::string_view encoding = decode_attribute(*raw, scratch);
    return equals_ignore_case(encoding, "text/html") ||
           equals_ignore_case(encoding, "application/xhtml+xml");
}

}  // namespace

Placement HtmlTreeState::start_tag(const HtmlTag& tag) {
    placement_ = {};
    process({Token::Kind::start, tag.element, &tag});
    return placement_;
}

void HtmlTreeState::end_tag(const HtmlTag& tag) {
    if (is_in_raw_text_) {
        is_in_raw_text_ = false;
        return;
    }
    process({Token::Kind::end, tag.element, &tag});
}

void HtmlTreeState::text(std::string_view piece) {
    if (nodes_) return add_run(piece);
    if (is_in_raw_text_) return;
    bool has_space = false;
    for (const char c : piece) {
        if (c == '\0') continue;  // The standard ignores it, or replaces it without effect here.
        if (!is_html_space(c)) return process({Token::Kind::characters});
        has_space = true;
    }
    if (has_space) process({Token::Kind::space});
}

void HtmlTreeState::doctype() {
    if (mode_ == Mode::initial) mode_ = Mode::before_html;
}

// Text matters as long as it can forbid a <frameset>, reopen formatting elements, or end a mode
// such as "in head".
bool HtmlTreeState::wants_text() const {
    if (is_in_raw_text_) return false;
    if (is_frameset_ok_ || formatting_.needs_reconstruction(open_)) return true;
    switch (mode_) {
        case Mode::initial:
        case Mode::before_html:
        case Mode::before_head:
        case Mode::in_head:
        case Mode::in_head_noscript:
        case Mode::after_head:
        case Mode::in_column_group: return true;
        default: return false;
    }
}

void HtmlTreeState::reset() {
    open_.clear();
    formatting_.clear();
    template_modes_.clear();
    placement_ = {};
    mode_ = Mode::initial;
    is_frameset_ok_ = true;
    is_in_raw_text_ = false;
    has_head_ = false;
    form_ = 0;
    nodes_ = nullptr;
    is_quirks_ = has_context_ = is_into_head_ = false;
    context_ = {};
    raw_node_ = head_node_ = 0;
    step_count_ = 0;
}

void HtmlTreeState::process(const Token& token) {
    Verdict verdict = Verdict::again;
    while (verdict == Verdict::again) {
        ++step_count_;
        const bool is_html = !is_in_foreign_content() && !has_context_;  // Nearly always.
        verdict = is_html || follows_html_rules(token) ? by_mode(token) : foreign(token);
    }
}

// The conditions of the "tree construction dispatcher".
bool HtmlTreeState::follows_html_rules(const Token& token) const {
    if (!is_foreign() || token.kind == Token::Kind::end_of_file) return true;
    if (token.kind == Token::Kind::end) return false;
    const OpenElement& node = adjusted_current();
    if ((node.traits & kHtmlIntegrationPoint) != 0) return true;
    if ((node.traits & kMathTextIntegrationPoint) != 0) {
        return !token.is_start(Element::mglyph) && !token.is_start(Element::malignmark);
    }
    return node.space == Namespace::mathml && node.element == Element::annotation_xml &&
           token.is_start(Element::svg);
}

HtmlTreeState::Verdict HtmlTreeState::by_mode(const Token& token) {
    switch (mode_) {
        case Mode::initial: return initial(token);
        case Mode::before_html: return before_html(token);
        case Mode::before_head: return before_head(token);
        case Mode::in_head: return in_head(token);
        case Mode::in_head_noscript: return in_head_noscript(token);
        case Mode::after_head: return after_head(token);
        case Mode::in_body: return in_body(token);
        case Mode::in_table: return in_table(token);
        case Mode::in_caption: return in_caption(token);
        case Mode::in_column_group: return in_column_group(token);
        case Mode::in_table_body: return in_table_body(token);
        case Mode::in_row: return in_row(token);
        case Mode::in_cell: return in_cell(token);
        case Mode::in_template: return in_template(token);
        case Mode::after_body:
        case Mode::after_after_body: return after_body(token);
        case Mode::in_frameset: return in_frameset(token);
        case Mode::after_frameset:
        case Mode::after_after_frameset: return after_frameset(token);
    }
    __builtin_unreachable();
}

HtmlTreeState::Verdict HtmlTreeState::foreign(const Token& token) {
    switch (token.kind) {
        case Token::Kind::start: return foreign_start(token);
        case Token::Kind::end: return foreign_end(token);
        case Token::Kind::characters: is_frameset_ok_ = false; [[fallthrough]];
        case Token::Kind::space:
        case Token::Kind::nul: add_text(token); return Verdict::done;
        case Token::Kind::end_of_file: break;
    }
    __builtin_unreachable();
}

HtmlTreeState::Verdict HtmlTreeState::foreign_start(const Token& token) {
    // In SVG, <font> is an element of its own. With one of these attributes it is HTML's.
    const bool is_html_font =
        token.element == Element::font &&
        (token.tag->find("color") || token.tag->find("face") || token.tag->find("size"));
    const bool breaks_out =
        (traits_of(token.element, Namespace::html) & kForeignBreakout) != 0 || is_html_font;
    if (breaks_out) return leave_foreign(token);
    insert_foreign(token, adjusted_current().space);
    return Verdict::done;
}

HtmlTreeState::Verdict HtmlTreeState::foreign_end(const Token& token) {
    if (token.element == Element::br || token.element == Element::p) return leave_foreign(token);
    if (open_.size() == 1) return Verdict::done;  // Only in a fragment.
    const std::uint32_t name = token.name();
    for (std::size_t i = open_.size(); i-- > 0;) {
        ++step_count_;
        // No foreign element of that name is open: the HTML rules decide.
        if (open_[i].space == Namespace::html) return by_mode(token);
        if (open_[i].name == name) {
            open_.pop_to(i);
            return Verdict::done;
        }
    }
    return Verdict::done;
}

// An HTML element that cannot be inside SVG or MathML ends all foreign elements up to the next
// integration point.
HtmlTreeState::Verdict HtmlTreeState::leave_foreign(const Token& token) {
    constexpr std::uint16_t kIntegrationPoint = kHtmlIntegrationPoint | kMathTextIntegrationPoint;
    while (is_in_foreign_content() && (open_.current().traits & kIntegrationPoint) == 0)
        open_.pop();
    return by_mode(token);
}

void HtmlTreeState::insert_foreign(const Token& token, Namespace space) {
    place(token.element, space);
    const std::uint32_t node = add_node(token.element, space, token.tag);
    open_.push(token.element, space, token.name(), node);
    if (token.tag->is_self_closing) {
        open_.pop();
    } else if (token.element == Element::annotation_xml && space == Namespace::mathml &&
               is_html_annotation(*token.tag)) {
        open_.add_current_trait(kHtmlIntegrationPoint);
    }
}

void HtmlTreeState::place(Element element, Namespace space) {
    placement_.element = element;
    placement_.space = space;
    placement_.is_inserted = true;
    placement_.is_in_template = open_.has(Element::template_);
    placement_.is_in_noscript = open_.has(Element::noscript);
}

void HtmlTreeState::insert(const Token& token) {
    place(token.element, Namespace::html);
    const std::uint32_t node = add_node(token.element, Namespace::html, token.tag);
    open_.push(token.element, Namespace::html, token.name(), node);
}

void HtmlTreeState::insert_void(const Token& token) {
    place(token.element, Namespace::html);
    add_node(token.element, Namespace::html, token.tag);
}

// The element is not pushed to the stack, because the next tag can only be its own end tag.
void HtmlTreeState::insert_raw(const Token& token, HtmlText text) {
    place(token.element, Namespace::html);
    placement_.text = text;
    is_in_raw_text_ = true;
    raw_node_ = add_node(token.element, Namespace::html, token.tag);
}

void HtmlTreeState::open_implied(Element element) {
    const std::uint32_t node = add_node(element, Namespace::html, nullptr);
    open_.push(element, Namespace::html, name_key(element, {}), node);
}

void HtmlTreeState::close_p() {
    open_.generate_implied_end_tags(Element::p);
    open_.pop_until(Element::p);
}

}  // namespace weft::web
