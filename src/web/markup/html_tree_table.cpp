#include "base/bytes.h"
#include "web/markup/html_reference.h"
#include "web/markup/html_tree_state.h"

// The insertion modes of tables (HTML standard, sections 13.2.6.4.9 to 13.2.6.4.15).
namespace weft::web {

using enum Element;

namespace {

// The start tags that end a caption or a cell. Most of them also end a row, a section or a column
// group.
bool is_table_part(Element element) {
    switch (element) {
        case caption:
        case col:
        case colgroup:
        case tbody:
        case td:
        case tfoot:
        case th:
        case thead:
        case tr: return true;
        default: return false;
    }
}

bool is_section(Element element) {
    return element == tbody || element == tfoot || element == thead;
}

bool is_cell(Element element) {
    return element == td || element == th;
}

}  // namespace

bool HtmlTreeState::is_hidden_input(const HtmlTag& tag) {
    const auto raw = tag.find("type");
    std::string scratch;
    return raw && equals_ignore_case(decode_attribute(*raw, scratch), "hidden");
}

// "Clear the stack back to a table context", "... table body context" and "... table row context".
void HtmlTreeState::clear_to(std::initializer_list<Element> context) {
    const auto is_context = [&](const OpenElement& open) {
        if (open.is_html(template_) || open.is_html(html)) return true;
        for (const Element element : context) {
            if (open.is_html(element)) return true;
        }
        return false;
    };
    while (!open_.is_empty() && !is_context(open_.current())) open_.pop();
}

HtmlTreeState::Verdict HtmlTreeState::in_table(const Token& token) {
    switch (token.kind) {
        case Token::Kind::start: return table_start(token);
        case Token::Kind::end: return table_end(token);
        case Token::Kind::characters: return fostered(token);
        case Token::Kind::space: break;
        case Token::Kind::nul:
        case Token::Kind::end_of_file: return in_body(token);
    }
    // White space between the parts of a table stays there. Inside a misplaced element it is text
    // of that element.
    if (!is_in_table_structure()) return fostered(token);
    add_text(token);
    return Verdict::done;
}

bool HtmlTreeState::is_in_table_structure() const {
    const OpenElement& node = open_.current();
    return node.is_html(table) || node.is_html(template_) || node.is_html(tr) ||
           (node.space == Namespace::html && is_section(node.element));
}

// Text and elements that may not be in a table are handled as in the body, but "foster parenting"
// puts them before the table. Without a tree that makes no difference.
HtmlTreeState::Verdict HtmlTreeState::fostered(const Token& token) {
    if (!nodes_) return in_body(token);
    nodes_->set_fostering(true);
    const Verdict verdict = in_body(token);
    nodes_->set_fostering(false);
    return verdict;
}

HtmlTreeState::Verdict HtmlTreeState::table_start(const Token& token) {
    switch (token.element) {
        case caption:
            clear_to({table});
            formatting_.add_marker();
            insert(token);
            mode_ = Mode::in_caption;
            return Verdict::done;
        case colgroup:
            clear_to({table});
            insert(token);
            mode_ = Mode::in_column_group;
            return Verdict::done;
        case col:
            clear_to({table});
            open_implied(colgroup);
            mode_ = Mode::in_column_group;
            return Verdict::again;
        case tbody:
        case tfoot:
        case thead:
            clear_to({table});
            insert(token);
            mode_ = Mode::in_table_body;
            return Verdict::done;
        case td:
        case th:
        case tr:
            clear_to({table});
            open_implied(tbody);
            mode_ = Mode::in_table_body;
            return Verdict::again;
        case table:
            if (!open_.has_in_table_scope(table)) return Verdict::done;
            open_.pop_until(table);  // Tables do not nest directly: the new one ends the old one.
            reset_mode();
            return Verdict::again;
        case style:
        case script:
        case template_: return in_head(token);
        case input:
            if (!is_hidden_input(*token.tag)) return fostered(token);
            insert_void(token);
            return Verdict::done;
        case form:
            if (open_.has(template_) || form_ != 0) return Verdict::done;
            // A form directly in a table is set as the open form, but has no content.
            insert(token);
            form_ = open_.current().serial;
            open_.pop();
            return Verdict::done;
        default: return fostered(token);
    }
}

HtmlTreeState::Verdict HtmlTreeState::table_end(const Token& token) {
    if (token.element == table) {
        if (!open_.has_in_table_scope(table)) return Verdict::done;
        open_.pop_until(table);
        reset_mode();
        return Verdict::done;
    }
    if (token.element == body || token.element == html || is_table_part(token.element)) {
        return Verdict::done;
    }
    return token.element == template_ ? in_head(token) : fostered(token);
}

HtmlTreeState::Verdict HtmlTreeState::in_caption(const Token& token) {
    if (token.is_end(caption)) {
        close_caption();
        return Verdict::done;
    }
    if ((token.kind == Token::Kind::start && is_table_part(token.element)) || token.is_end(table)) {
        return close_caption();
    }
    if (token.kind == Token::Kind::end &&
        (token.element == body || token.element == html || is_table_part(token.element))) {
        return Verdict::done;
    }
    return in_body(token);
}

// The close_ functions end a part of the table, as if its end tag was there. They return `again` if
// they did, so that the token is processed in the outer mode, and `done` if no such part is open.
HtmlTreeState::Verdict HtmlTreeState::close_caption() {
    if (!open_.has_in_table_scope(caption)) return Verdict::done;
    open_.generate_implied_end_tags();
    open_.pop_until(caption);
    formatting_.clear_to_marker();
    mode_ = Mode::in_table;
    return Verdict::again;
}

HtmlTreeState::Verdict HtmlTreeState::in_column_group(const Token& token) {
    if (token.is_end(col)) return Verdict::done;
    if (token.kind == Token::Kind::space) {
        add_text(token);
        return Verdict::done;
    }
    if (token.is_start(html) || token.kind == Token::Kind::end_of_file) return in_body(token);
    if (token.is_start(template_) || token.is_end(template_)) return in_head(token);
    if (token.is_start(col)) {
        insert_void(token);
        return Verdict::done;
    }
    // In a template there may be no colgroup to end.
    if (!open_.current_is(colgroup)) return Verdict::done;
    open_.pop();
    mode_ = Mode::in_table;
    return token.is_end(colgroup) ? Verdict::done : Verdict::again;
}

HtmlTreeState::Verdict HtmlTreeState::in_table_body(const Token& token) {
    if (token.kind == Token::Kind::start && (token.element == tr || is_cell(token.element))) {
        clear_to({tbody, tfoot, thead});
        mode_ = Mode::in_row;
        if (token.element == tr) {
            insert(token);
            return Verdict::done;
        }
        open_implied(tr);
        return Verdict::again;
    }
    if ((token.kind == Token::Kind::start && is_table_part(token.element)) || token.is_end(table)) {
        return close_section();
    }
    if (token.kind == Token::Kind::end) {
        if (is_section(token.element)) {  // Any section is ended, not only one of that name.
            if (open_.has_in_table_scope(token.element)) close_section();
            return Verdict::done;
        }
        if (is_table_part(token.element) || token.element == body || token.element == html) {
            return Verdict::done;
        }
    }
    return in_table(token);
}

HtmlTreeState::Verdict HtmlTreeState::close_section() {
    static constexpr Element kSections[] = {tbody, tfoot, thead};
    if (!open_.has_any_in_scope(kSections, kTableScopeEnd)) return Verdict::done;
    clear_to({tbody, tfoot, thead});
    open_.pop();
    mode_ = Mode::in_table;
    return Verdict::again;
}

HtmlTreeState::Verdict HtmlTreeState::in_row(const Token& token) {
    if (token.kind == Token::Kind::start && is_cell(token.element)) {
        clear_to({tr});
        insert(token);
        formatting_.add_marker();
        mode_ = Mode::in_cell;
        return Verdict::done;
    }
    if ((token.kind == Token::Kind::start && is_table_part(token.element)) || token.is_end(table)) {
        return close_row();
    }
    if (token.kind == Token::Kind::end) {
        if (token.element == tr) {
            close_row();
            return Verdict::done;
        }
        if (is_section(token.element)) {
            return open_.has_in_table_scope(token.element) ? close_row() : Verdict::done;
        }
        if (is_table_part(token.element) || token.element == body || token.element == html) {
            return Verdict::done;
        }
    }
    return in_table(token);
}

HtmlTreeState::Verdict HtmlTreeState::close_row() {
    if (!open_.has_in_table_scope(tr)) return Verdict::done;
    clear_to({tr});
    open_.pop();
    mode_ = Mode::in_table_body;
    return Verdict::again;
}

HtmlTreeState::Verdict HtmlTreeState::in_cell(const Token& token) {
    if (token.kind == Token::Kind::start && is_table_part(token.element)) return close_cell();
    if (token.kind == Token::Kind::end) {
        if (is_cell(token.element)) {
            if (!open_.has_in_table_scope(token.element)) return Verdict::done;
            open_.generate_implied_end_tags();
            open_.pop_until(token.element);
            formatting_.clear_to_marker();
            mode_ = Mode::in_row;
            return Verdict::done;
        }
        if (token.element == table || token.element == tr || is_section(token.element)) {
            return open_.has_in_table_scope(token.element) ? close_cell() : Verdict::done;
        }
        if (is_table_part(token.element) || token.element == body || token.element == html) {
            return Verdict::done;
        }
    }
    return in_body(token);
}

HtmlTreeState::Verdict HtmlTreeState::close_cell() {
    static constexpr Element kCells[] = {td, th};
    if (!open_.has_any_in_scope(kCells, kTableScopeEnd)) return Verdict::done;
    open_.generate_implied_end_tags();
    while (!open_.current_is(td) && !open_.current_is(th)) open_.pop();
    open_.pop();
    formatting_.clear_to_marker();
    mode_ = Mode::in_row;
    return Verdict::again;
}

// "Reset the insertion mode appropriately" (section 13.2.4.1).
void HtmlTreeState::reset_mode() {
    for (std::size_t i = open_.size(); i-- > 0;) {
        ++step_count_;
        const bool is_context = has_context_ && i == 0;
        const OpenElement& node = is_context ? context_ : open_[i];
        if (node.space != Namespace::html) continue;
        switch (node.element) {
            case td:
            case th:
                if (is_context) break;
                mode_ = Mode::in_cell;
                return;
            case tr: mode_ = Mode::in_row; return;
            case tbody:
            case thead:
            case tfoot: mode_ = Mode::in_table_body; return;
            case caption: mode_ = Mode::in_caption; return;
            case colgroup: mode_ = Mode::in_column_group; return;
            case table: mode_ = Mode::in_table; return;
            case template_:
                mode_ = template_modes_.empty() ? Mode::in_body : template_modes_.back();
                return;
            case head:
                if (is_context) break;
                mode_ = Mode::in_head;
                return;
            case body: mode_ = Mode::in_body; return;
            case frameset: mode_ = Mode::in_frameset; return;
            case html: mode_ = has_head_ ? Mode::after_head : Mode::before_head; return;
            default: break;
        }
    }
    mode_ = Mode::in_body;
}

}  // namespace weft::web
