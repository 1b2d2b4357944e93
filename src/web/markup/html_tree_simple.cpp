#include <array>
#include <initializer_list>

#include "web/markup/html_tree_state.h"
#include "web/markup/simple_tag.h"

// The usual case of tree construction: most tags of a page only push an element to the stack, or
// pop it. Deciding that first is several times as fast as the full rules. Each function here does
// what those rules would do, or nothing.
namespace weft::web {

using enum Element;

namespace {

// What a tag does in well-formed markup. In this order: first what opens an element in the body.
enum class Simple : std::uint8_t {
    none,      // Always by the full rules.
    phrasing,  // The rules "any other start tag" and "any other end tag".
    block,
    heading,
    item,        // li
    definition,  // dt, dd
    formatting,
    anchor,
    alone,    // Elements without content.
    rule,     // hr
    control,  // input
    cell,
    row,
    section,  // tbody and its like
    table_root,
};

constexpr std::array<Simple, 256> kSimple = [] {
    std::array<Simple, 256> simple{};
    const auto set = [&](Simple kind, std::initializer_list<Element> elements) {
        for (const Element element : elements) simple[static_cast<std::size_t>(element)] = kind;
    };
    set(Simple::phrasing, {abbr,  acronym, audio, bdi,  bdo,  canvas, cite, del, dfn, ins,  kbd,
                           label, mark,    q,     ruby, samp, span,   sub,  sup, var, video});
    set(Simple::block,
        {address, article,  aside,  blockquote, center,  details, dialog, dir,    div,
         dl,      fieldset, figure, footer,     header,  hgroup,  main,   menu,   nav,
         ol,      p,        search, section,    summary, ul,      pre,    listing});
    set(Simple::heading, {h1, h2, h3, h4, h5, h6});
    set(Simple::item, {li});
    set(Simple::definition, {dd, dt});
    set(Simple::formatting, {b, big, code, em, font, i, s, small, strike, strong, tt, u});
    set(Simple::anchor, {a});
    set(Simple::alone, {area, br, embed, img, source, track, wbr});
    set(Simple::rule, {hr});
    set(Simple::control, {input});
    set(Simple::cell, {td, th});
    set(Simple::row, {tr});
    set(Simple::section, {tbody, thead, tfoot});
    set(Simple::table_root, {table});
    return simple;
}();

Simple simple_kind(Element element) {
    return kSimple[static_cast<std::size_t>(element)];
}

}  // namespace

// By the precondition no formatting element must be opened again, and <frameset> is out of the
// question, so the steps for these are left out. The kinds are asked for one by one, the frequent
// ones first: a jump by kind would be guessed wrong more often.
bool HtmlTreeState::start_simple(const HtmlTag& tag) {
    if (is_in_raw_text_ || is_in_foreign_content() || open_.is_empty() || !open_.has_room(1)) {
        return false;
    }
    const Simple kind = simple_kind(tag.element);
    if (kind > Simple::anchor) return start_special(tag.element);
    if (kind == Simple::none || !is_in_body()) return false;
    if (kind == Simple::phrasing) {
        open_.push_known(tag.element);
        return true;
    }
    if (kind < Simple::formatting) return start_in_body(tag.element);
    if (kind == Simple::anchor && formatting_.find(a)) return false;
    open_.push_known(tag.element);
    add_formatting(tag);
    return true;
}

// Elements without content, and the parts of tables.
bool HtmlTreeState::start_special(Element element) {
    switch (simple_kind(element)) {
        case Simple::alone: return is_in_body();
        case Simple::rule: return is_in_body() && !open_.has(p) && !open_.has(select);
        case Simple::control: return is_in_body() && !open_.has(select);
        case Simple::cell:
            if (mode_ != Mode::in_row || !open_.current_is(tr)) return false;
            open_.push_known(element);
            formatting_.add_marker();
            mode_ = Mode::in_cell;
            return true;
        case Simple::row:
            if (mode_ == Mode::in_table && open_.current_is(table)) {
                if (!open_.has_room(2)) return false;
                open_.push_known(tbody);  // Its start tag may be left out.
            } else if (mode_ != Mode::in_table_body ||
                       simple_kind(open_.current().element) != Simple::section) {
                return false;
            }
            open_.push_known(tr);
            mode_ = Mode::in_row;
            return true;
        case Simple::section:
            if (mode_ != Mode::in_table || !open_.current_is(table)) return false;
            open_.push_known(element);
            mode_ = Mode::in_table_body;
            return true;
        case Simple::table_root:
            if (!is_in_body() || open_.has(p)) return false;
            open_.push_known(table);
            mode_ = Mode::in_table;
            return true;
        default: return false;
    }
}

// Blocks, headings and items of lists. They end a paragraph, which is simple if it is the current
// element.
bool HtmlTreeState::start_in_body(Element element) {
    const Element current = open_.current().element;
    bool ends_current = false;
    switch (simple_kind(element)) {
        case Simple::heading:
            if (simple_kind(current) == Simple::heading) return false;
            [[fallthrough]];
        case Simple::block: ends_current = current == p; break;
        case Simple::item:
            ends_current = current == li;
            if (!ends_current && current != ul && current != ol) return false;
            break;
        default:
            ends_current = current == dd || current == dt;
            if (!ends_current && current != dl) return false;
            break;
    }
    if (open_.count(p) > (current == p ? 1u : 0u)) return false;
    if (ends_current) open_.pop();
    open_.push_known(element);
    return true;
}

const char* HtmlTreeState::end_simple(const char* name) {
    if (is_in_raw_text_ || open_.is_empty() || is_in_foreign_content()) return nullptr;
    // In well-formed markup it is the end tag of the current element, so this is asked first.
    const Element element = open_.current().element;
    const char* const after = end_of_end_tag(name, element);
    return after && close_simple(element) ? after : nullptr;
}

bool HtmlTreeState::close_simple(Element element) {
    const Simple kind = simple_kind(element);
    if (kind > Simple::anchor) return close_table_part(element);
    if (kind == Simple::none || !is_in_body()) return false;
    const bool is_formatting = kind >= Simple::formatting;
    if (is_formatting && !formatting_.drop_last(open_.current().serial)) return false;
    open_.pop();
    return true;
}

bool HtmlTreeState::close_table_part(Element element) {
    switch (simple_kind(element)) {
        case Simple::cell:
            if (mode_ != Mode::in_cell) return false;
            formatting_.clear_to_marker();
            mode_ = Mode::in_row;
            break;
        case Simple::row:
            if (mode_ != Mode::in_row) return false;
            mode_ = Mode::in_table_body;
            break;
        case Simple::section:
            if (mode_ != Mode::in_table_body) return false;
            mode_ = Mode::in_table;
            break;
        case Simple::table_root:
            if (mode_ != Mode::in_table) return false;
            open_.pop();
            reset_mode();
            return true;
        default: return false;
    }
    open_.pop();
    return true;
}

}  // namespace weft::web
