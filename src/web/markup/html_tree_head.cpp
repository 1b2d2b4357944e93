#include "base/limits.h"
#include "web/markup/html_tree_state.h"

// The insertion modes outside of body and tables (HTML standard, sections 13.2.6.4.1 to 13.2.6.4.6
// and those after the tables): before and in the head, templates, framesets, after the body.
namespace weft::web {

using enum Element;

// Section 13.2.6.4.1. The doctype itself comes through doctype().
HtmlTreeState::Verdict HtmlTreeState::initial(const Token& token) {
    if (token.kind == Token::Kind::space) return Verdict::done;
    if (nodes_) nodes_->set_quirks(is_quirks_ = true);
    mode_ = Mode::before_html;
    return Verdict::again;
}

// In this mode and the next ones, anything else means that a start tag was left out: the element is
// opened, and the token is processed again.
HtmlTreeState::Verdict HtmlTreeState::before_html(const Token& token) {
    if (token.kind == Token::Kind::space) return Verdict::done;
    if (token.is_start(html)) {
        insert(token);
        mode_ = Mode::before_head;
        return Verdict::done;
    }
    if (token.kind == Token::Kind::end && token.element != head && token.element != body &&
        token.element != html && token.element != br) {
        return Verdict::done;
    }
    open_implied(html);
    mode_ = Mode::before_head;
    return Verdict::again;
}

HtmlTreeState::Verdict HtmlTreeState::before_head(const Token& token) {
    if (token.kind == Token::Kind::space) return Verdict::done;
    if (token.is_start(html)) return in_body(token);
    if (token.kind == Token::Kind::end && token.element != head && token.element != body &&
        token.element != html && token.element != br) {
        return Verdict::done;
    }
    has_head_ = true;
    mode_ = Mode::in_head;
    if (token.is_start(head)) {
        insert(token);
        head_node_ = open_.current().node;
        return Verdict::done;
    }
    open_implied(head);
    head_node_ = open_.current().node;
    return Verdict::again;
}

// Other modes call it for the elements of a head, too. With those it never reaches its last lines,
// which leave the head.
HtmlTreeState::Verdict HtmlTreeState::in_head(const Token& token) {
    if (token.kind == Token::Kind::space) {
        add_text(token);
        return Verdict::done;
    }
    if (token.kind == Token::Kind::start) {
        switch (token.element) {
            case html: return in_body(token);
            case base:
            case basefont:
            case bgsound:
            case link:
            case meta: insert_void(token); return Verdict::done;
            case title: insert_raw(token, HtmlText::rcdata); return Verdict::done;
            case noframes:
            case style: insert_raw(token, HtmlText::rawtext); return Verdict::done;
            case script: insert_raw(token, HtmlText::script_data); return Verdict::done;
            case noscript:
                if (scripting_ == Scripting::on) {
                    insert_raw(token, HtmlText::rawtext);
                    return Verdict::done;
                }
                insert(token);
                mode_ = Mode::in_head_noscript;
                return Verdict::done;
            case template_:
                insert(token);
                start_template();
                return Verdict::done;
            case head: return Verdict::done;
            default: break;
        }
    } else if (token.kind == Token::Kind::end) {
        if (token.element == template_) {
            end_template();
            return Verdict::done;
        }
        if (token.element == head) {
            open_.pop();
            mode_ = Mode::after_head;
            return Verdict::done;
        }
        if (token.element != body && token.element != html && token.element != br) {
            return Verdict::done;
        }
    }
    open_.pop();
    mode_ = Mode::after_head;
    return Verdict::again;
}

// Scripting is off in this mode. An element that may not be here ends the noscript and is processed
// again in the head.
HtmlTreeState::Verdict HtmlTreeState::in_head_noscript(const Token& token) {
    if (token.kind == Token::Kind::space) return in_head(token);
    if (token.is_end(noscript)) {
        open_.pop();
        mode_ = Mode::in_head;
        return Verdict::done;
    }
    if (token.kind == Token::Kind::start) {
        switch (token.element) {
            case html: return in_body(token);
            case basefont:
            case bgsound:
            case link:
            case meta:
            case noframes:
            case style: return in_head(token);
            case head:
            case noscript: return Verdict::done;
            default: break;
        }
    } else if (token.kind == Token::Kind::end && token.element != br) {
        return Verdict::done;
    }
    open_.pop();
    mode_ = Mode::in_head;
    return Verdict::again;
}

// The standard puts the head back on the stack for the elements of a head. Here only their nodes go
// into it: such elements are not pushed, except a template, which does not depend on it.
HtmlTreeState::Verdict HtmlTreeState::after_head(const Token& token) {
    if (token.kind == Token::Kind::space) {
        add_text(token);
        return Verdict::done;
    }
    if (token.kind == Token::Kind::start) {
        switch (token.element) {
            case html: return in_body(token);
            case body:
                insert(token);
                is_frameset_ok_ = false;
                mode_ = Mode::in_body;
                return Verdict::done;
            case frameset:
                insert(token);
                mode_ = Mode::in_frameset;
                return Verdict::done;
            case base:
            case basefont:
            case bgsound:
            case link:
            case meta:
            case noframes:
            case script:
            case style:
            case template_:
            case title: {
                is_into_head_ = true;
                const Verdict verdict = in_head(token);
                is_into_head_ = false;
                return verdict;
            }
            case head: return Verdict::done;
            default: break;
        }
    } else if (token.kind == Token::Kind::end) {
        if (token.element == template_) return in_head(token);
        if (token.element != body && token.element != html && token.element != br) {
            return Verdict::done;
        }
    }
    open_implied(body);
    mode_ = Mode::in_body;
    return Verdict::again;
}

void HtmlTreeState::start_template() {
    formatting_.add_marker();
    is_frameset_ok_ = false;
    mode_ = Mode::in_template;
    // As in OpenElements, at the limit the new one replaces the last.
    if (template_modes_.size() == limits::kOpenElementDepthMax) template_modes_.pop_back();
    template_modes_.push_back(mode_);
}

void HtmlTreeState::end_template() {
    if (!open_.has(template_)) return;
    open_.generate_implied_end_tags_thoroughly();
    open_.pop_until(template_);
    formatting_.clear_to_marker();
    if (!template_modes_.empty()) template_modes_.pop_back();
    reset_mode();
}

// The first start tag decides how the content of a template is parsed.
HtmlTreeState::Verdict HtmlTreeState::in_template(const Token& token) {
    if (token.is_text()) return in_body(token);
    if (token.kind == Token::Kind::end_of_file) return end_in_template(token);
    if (token.kind == Token::Kind::end) {
        return token.element == template_ ? in_head(token) : Verdict::done;
    }
    switch (token.element) {
        case base:
        case basefont:
        case bgsound:
        case link:
        case meta:
        case noframes:
        case script:
        case style:
        case template_:
        case title: return in_head(token);
        case caption:
        case colgroup:
        case tbody:
        case tfoot:
        case thead: mode_ = Mode::in_table; break;
        case col: mode_ = Mode::in_column_group; break;
        case tr: mode_ = Mode::in_table_body; break;
        case td:
        case th: mode_ = Mode::in_row; break;
        default: mode_ = Mode::in_body; break;
    }
    if (!template_modes_.empty()) template_modes_.back() = mode_;
    return Verdict::again;
}

// "After body" and "after after body". Content after </body> belongs to the body.
HtmlTreeState::Verdict HtmlTreeState::after_body(const Token& token) {
    if (token.kind == Token::Kind::space || token.is_start(html)) return in_body(token);
    if (token.kind == Token::Kind::end_of_file) return Verdict::done;
    if (mode_ == Mode::after_body && token.is_end(html)) {
        if (has_context_) return Verdict::done;
        mode_ = Mode::after_after_body;
        return Verdict::done;
    }
    mode_ = Mode::in_body;
    return Verdict::again;
}

HtmlTreeState::Verdict HtmlTreeState::in_frameset(const Token& token) {
    if (token.is_start(html)) return in_body(token);
    if (token.is_start(noframes)) return in_head(token);
    if (token.is_start(frame)) insert_void(token);
    if (token.is_start(frameset)) insert(token);
    if (token.is_text()) add_spaces(token);
    if (token.is_end(frameset) && open_.size() > 1) {
        open_.pop();
        if (!has_context_ && !open_.current_is(frameset)) mode_ = Mode::after_frameset;
    }
    return Verdict::done;
}

HtmlTreeState::Verdict HtmlTreeState::after_frameset(const Token& token) {
    if (token.is_start(html)) return in_body(token);
    if (token.is_start(noframes)) return in_head(token);
    if (token.is_text()) add_spaces(token);
    if (token.is_end(html)) mode_ = Mode::after_after_frameset;
    return Verdict::done;
}

}  // namespace weft::web
