#include <array>
#include <initializer_list>

#include "base/bytes.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_tree_state.h"

// The insertion mode "in body" (HTML standard, section 13.2.6.4.7): text and start tags.
namespace weft::web {

using enum Element;

namespace {

// The rules that the standard has for start tags in this mode.
enum class Rule : std::uint8_t {
    any_other,
    head_part,
    html_part,
    frameset_part,
    block,
    form_block,
    list_item,
    plain_text,
    control,
    anchor,
    formatting,
    object_like,
    table_root,
    void_element,
    image_as_img,
    raw_text,
    ruby_part,
    foreign_root,
    ignored,
};

constexpr std::array<Rule, 256> kRules = [] {
    std::array<Rule, 256> rules{};
    const auto set = [&](Rule rule, std::initializer_list<Element> elements) {
        for (const Element element : elements) rules[static_cast<std::size_t>(element)] = rule;
    };
    set(Rule::head_part,
        {base, basefont, bgsound, link, meta, noframes, script, style, template_, title});
    set(Rule::html_part, {html, body});
    set(Rule::frameset_part, {frameset});
    set(Rule::block,
        {address,    article, aside,  blockquote, center,  details, dialog, dir, div, dl, fieldset,
         figcaption, figure,  footer, header,     hgroup,  main,    menu,   nav, ol,  p,  search,
         section,    summary, ul,     pre,        listing, h1,      h2,     h3,  h4,  h5, h6});
    set(Rule::form_block, {form});
    set(Rule::list_item, {li, dd, dt});
    set(Rule::plain_text, {plaintext});
    set(Rule::control, {button, select, option, optgroup});
    set(Rule::anchor, {a});
    set(Rule::formatting, {b, big, code, em, font, i, nobr, s, small, strike, strong, tt, u});
    set(Rule::object_like, {applet, marquee, object});
    set(Rule::table_root, {table});
    set(Rule::void_element, {area, br, embed, hr, img, input, keygen, param, source, track, wbr});
    set(Rule::image_as_img, {image});
    set(Rule::raw_text, {textarea, xmp, iframe, noembed});
    set(Rule::ruby_part, {rb, rtc, rp, rt});
    set(Rule::foreign_root, {math, svg});
    set(Rule::ignored, {caption, col, colgroup, frame, head, tbody, td, tfoot, th, thead, tr});
    return rules;
}();

// A hash of an element's attributes that does not depend on their order. ActiveFormatting uses it
// to find equal formatting elements.
std::uint64_t attributes_key(const HtmlTag& tag) {
    constexpr std::uint64_t kPrime = 0x100000001B3u;
    std::uint64_t sum = tag.attribute_count();
    for (std::size_t k = 0; k < tag.attribute_count(); ++k) {
        const HtmlAttribute attribute = tag.attribute(k);
        std::uint64_t hash = 0xCBF29CE484222325u;
        for (const char c : attribute.name) {
            hash = (hash ^ static_cast<unsigned char>(to_lower(c))) * kPrime;
        }
        hash = (hash ^ 0x100) * kPrime;
        for (const char c : attribute.value) hash = (hash ^ static_cast<unsigned char>(c)) * kPrime;
        sum += hash;
    }
    return sum;
}

bool is_heading(Element element) {
    return element >= h1 && element <= h6;
}

}  // namespace

HtmlTreeState::Verdict HtmlTreeState::in_body(const Token& token) {
    switch (token.kind) {
        case Token::Kind::start: return body_start(token);
        case Token::Kind::end: return body_end(token);
        // After any visible text, a <frameset> is ignored.
        case Token::Kind::characters: is_frameset_ok_ = false; [[fallthrough]];
        case Token::Kind::space:
            reconstruct();
            add_text(token);
            return Verdict::done;
        case Token::Kind::nul: return Verdict::done;
        case Token::Kind::end_of_file: return end_in_template(token);
    }
    __builtin_unreachable();
}

HtmlTreeState::Verdict HtmlTreeState::body_start(const Token& token) {
    switch (kRules[static_cast<std::size_t>(token.element)]) {
        case Rule::any_other:
            if (token.element == noscript && scripting_ == Scripting::on) {
                insert_raw(token, HtmlText::rawtext);
                break;
            }
            reconstruct();
            insert(token);
            break;
        case Rule::head_part: return in_head(token);
        case Rule::html_part: start_html_part(token); break;
        case Rule::frameset_part: start_frameset(token); break;
        case Rule::block: start_block(token); break;
        case Rule::form_block: start_form(token); break;
        case Rule::list_item: start_list_item(token); break;
        case Rule::plain_text:
            close_p_in_scope();
            insert(token);
            placement_.text = HtmlText::plaintext;
            break;
        case Rule::control: start_control(token); break;
        case Rule::anchor: start_a(token); break;
        case Rule::formatting: start_formatting(token); break;
        case Rule::object_like:
            reconstruct();
            insert(token);
            formatting_.add_marker();
            is_frameset_ok_ = false;
            break;
        case Rule::table_root:
            if (!is_quirks_) close_p_in_scope();
            insert(token);
            is_frameset_ok_ = false;
            mode_ = Mode::in_table;
            break;
        case Rule::void_element: start_void(token); break;
        case Rule::image_as_img:  // The standard changes the name of the tag to img.
            reconstruct();
            place(img, Namespace::html);
            add_node(img, Namespace::html, token.tag);
            is_frameset_ok_ = false;
            break;
        case Rule::raw_text: start_raw_text(token); break;
        case Rule::ruby_part:
            if (open_.has_in_scope(ruby)) {
                const bool is_in_rtc = token.element == rp || token.element == rt;
                open_.generate_implied_end_tags(is_in_rtc ? rtc : unknown);
            }
            insert(token);
            break;
        case Rule::foreign_root:
            reconstruct();
            insert_foreign(token, token.element == svg ? Namespace::svg : Namespace::mathml);
            break;
        case Rule::ignored: break;
    }
    return Verdict::done;
}

// A second <html> or <body> only adds its attributes to the first. They may be links, so the tag is
// placed, but not pushed.
void HtmlTreeState::start_html_part(const Token& token) {
    if (open_.has(template_)) return;
    if (token.element == body) {
        if (open_.size() < 2 || !open_[1].is_html(body)) return;
        is_frameset_ok_ = false;
    }
    place(token.element, Namespace::html);
    if (nodes_) nodes_->merge_attributes(open_[token.element == body ? 1 : 0].node, *token.tag);
}

// A <frameset> replaces the body if the body has no visible content yet.
void HtmlTreeState::start_frameset(const Token& token) {
    if (open_.size() < 2 || !open_[1].is_html(body) || !is_frameset_ok_) return;
    if (nodes_) nodes_->remove(open_[1].node);
    open_.pop_to(1);
    insert(token);
    mode_ = Mode::in_frameset;
}

void HtmlTreeState::start_block(const Token& token) {
    close_p_in_scope();
    // A heading ends the heading that it is in.
    if (is_heading(token.element) && open_.current().space == Namespace::html &&
        is_heading(open_.current().element)) {
        open_.pop();
    }
    if (token.element == pre || token.element == listing) is_frameset_ok_ = false;
    insert(token);
}

// Forms do not nest, except that a template may have forms of its own.
void HtmlTreeState::start_form(const Token& token) {
    if (form_ != 0 && !open_.has(template_)) return;
    close_p_in_scope();
    insert(token);
    if (!open_.has(template_)) form_ = open_.current().serial;
}

// <li> ends the <li> before it, and <dd> and <dt> end each other. The search stops at a special
// element, but not at address, div and p.
void HtmlTreeState::start_list_item(const Token& token) {
    is_frameset_ok_ = false;
    for (std::size_t k = open_.size(); k-- > 0;) {
        ++step_count_;
        const OpenElement& node = open_[k];
        const bool is_its_like =
            token.element == li ? node.is_html(li) : node.is_html(dd) || node.is_html(dt);
        if (is_its_like) {
            open_.pop_to(k);
            break;
        }
        const bool is_passed = node.is_html(address) || node.is_html(div) || node.is_html(p);
        if ((node.traits & kSpecial) != 0 && !is_passed) break;
    }
    close_p_in_scope();
    insert(token);
}

// Buttons and selects, by the standard's rules of 2025: a select may contain any markup.
void HtmlTreeState::start_control(const Token& token) {
    switch (token.element) {
        case button:
            if (open_.has_in_scope(button)) {
                open_.generate_implied_end_tags();
                open_.pop_until(button);
            }
            is_frameset_ok_ = false;
            break;
        case select:
            if (context_.is_html(select)) return;
            if (open_.has_in_scope(select)) {
                open_.pop_until(select);
                return;
            }
            is_frameset_ok_ = false;
            break;
        default:
            if (open_.has_in_scope(select)) {
                open_.generate_implied_end_tags(token.element == option ? optgroup : unknown);
            } else if (open_.current_is(option)) {
                open_.pop();
            }
            break;
    }
    reconstruct();
    insert(token);
}

// Links do not nest: an <a> that is still active is closed first, and removed if it is still open.
void HtmlTreeState::start_a(const Token& token) {
    if (const auto before = formatting_.find(a)) {
        const std::uint32_t serial = formatting_.serial(*before);
        formatting_.close(a, open_, nodes_);
        if (const auto still = formatting_.find_serial(serial)) formatting_.remove(*still, open_);
        const std::size_t at = open_.find(serial);
        if (at != OpenElements::npos) {
            open_.erase(at);
            formatting_.follow(open_, at, 1);
        }
    }
    start_formatting(token);
}

void HtmlTreeState::start_formatting(const Token& token) {
    reconstruct();
    if (token.element == nobr && open_.has_in_scope(nobr)) {
        formatting_.close(nobr, open_, nodes_);
        reconstruct();
    }
    insert(token);
    add_formatting(*token.tag);
}

// Adds the current element, whose tag this is, to the list.
void HtmlTreeState::add_formatting(const HtmlTag& tag) {
    // start_a() has removed every other <a>, so there is nothing to compare with.
    const std::uint64_t attributes = tag.element == a ? 0 : attributes_key(tag);
    formatting_.add(open_.current(), open_.size() - 1, attributes);
}

void HtmlTreeState::start_raw_text(const Token& token) {
    if (token.element == xmp) {
        close_p_in_scope();
        reconstruct();
    }
    if (token.element != noembed) is_frameset_ok_ = false;
    insert_raw(token, token.element == textarea ? HtmlText::rcdata : HtmlText::rawtext);
}

void HtmlTreeState::start_void(const Token& token) {
    switch (token.element) {
        case param:
        case source:
        case track: return insert_void(token);
        case hr:
            close_p_in_scope();
            if (open_.has_in_scope(select)) open_.generate_implied_end_tags();
            is_frameset_ok_ = false;
            return insert_void(token);
        case input:
            if (context_.is_html(select)) return;
            if (open_.has_in_scope(select)) open_.pop_until(select);
            reconstruct();
            if (!is_hidden_input(*token.tag)) is_frameset_ok_ = false;
            return insert_void(token);
        default:
            reconstruct();
            is_frameset_ok_ = false;
            return insert_void(token);
    }
}

}  // namespace weft::web
