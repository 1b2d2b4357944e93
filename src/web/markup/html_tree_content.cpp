#include "base/bytes.h"
#include "web/charset/utf8_text.h"
#include "web/markup/html_scan.h"
#include "web/markup/html_tree_state.h"
#include "web/tree/quirks.h"

// What tree construction does only if there is a tree: text, comments, doctypes, fragments and the
// end of the document.
namespace weft::web {

using enum Element;

// REQUIRES: the element is pushed next, or not at all.
std::uint32_t HtmlTreeState::build_node(Element element, Namespace space, const HtmlTag* tag) {
    open_.make_room();
    return nodes_->add_element(element, space, tag, place_here());
}

HtmlTreeNodes::InsertionPoint HtmlTreeState::place_here() const {
    if (is_into_head_) return {head_node_};
    if (open_.is_empty()) return {0};
    return nodes_->place_in(open_, open_.current());
}

// Comments are never fostered. Section 13.2.6.4 names the modes in which they go elsewhere.
HtmlTreeNodes::InsertionPoint HtmlTreeState::comment_place() const {
    switch (mode_) {
        case Mode::initial:
        case Mode::before_html:
        case Mode::after_after_body:
        case Mode::after_after_frameset: return {0};
        case Mode::after_body: return {open_[0].node};
        default: return {open_.current().node};
    }
}

void HtmlTreeState::comment(std::string_view text) {
    nodes_->add_comment(text, comment_place());
}

void HtmlTreeState::instruction(std::string_view target, std::string_view data) {
    nodes_->add_instruction(target, data, comment_place());
}

void HtmlTreeState::doctype(const HtmlDoctype& doctype) {
    if (mode_ != Mode::initial) return;
    nodes_->add_doctype(doctype);
    is_quirks_ = means_quirks(doctype);
    nodes_->set_quirks(is_quirks_);
    mode_ = Mode::before_html;
}

void HtmlTreeState::build_text(const Token& token) {
    if (token.kind != Token::Kind::nul) return nodes_->add_text(token.text, place_here());
    for (std::size_t i = 0; i < token.text.size(); ++i) {
        nodes_->add_text(kReplacementText, place_here());
    }
}

// In a frameset only the white space of a text counts.
void HtmlTreeState::add_spaces(const Token& token) {
    if (!nodes_) return;
    scratch_.clear();
    for (const char c : token.text) {
        if (is_html_space(c)) scratch_ += c;
    }
    if (!scratch_.empty()) nodes_->add_text(scratch_, place_here());
}

// The standard handles characters one by one. They need to be told apart only where white space,
// which several modes keep or ignore, ends, and at a NUL. In the structure of a table the whole run
// is fostered if it is not only white space ("in table text").
void HtmlTreeState::add_run(std::string_view run) {
    if (is_in_raw_text_) return nodes_->add_text(run, {raw_node_});
    const bool is_table_text = is_simple_mode() && !is_in_body() && is_in_table_structure();
    if (is_table_text) {
        std::string kept;
        if (run.contains('\0')) {
            for (const char c : run) {
                if (c != '\0') kept += c;
            }
            run = kept;
        }
        if (run.empty()) return;
        const bool is_space = skip_html_space(run.data(), run.data() + run.size()) == run.end();
        process({is_space ? Token::Kind::space : Token::Kind::characters, unknown, nullptr, run});
        return;
    }
    while (!run.empty()) {
        const char* const begin = run.data();
        const char* const end = begin + run.size();
        const char* stop = begin;
        Token::Kind kind = Token::Kind::characters;
        if (is_html_space(*begin)) {
            kind = Token::Kind::space;
            stop = skip_html_space(begin, end);
        } else if (*begin == '\0') {
            kind = Token::Kind::nul;
            while (stop != end && *stop == '\0') ++stop;
        } else {
            stop = find_far<'\0'>(begin, end);
        }
        const auto size = static_cast<std::size_t>(stop - begin);
        process({kind, unknown, nullptr, run.substr(0, size)});
        run.remove_prefix(size);
    }
}

void HtmlTreeState::finish() {
    is_in_raw_text_ = false;
    process({Token::Kind::end_of_file});
}

// At the end of the document all templates are closed, so that a page which ends in a template of
// its head gets a body.
HtmlTreeState::Verdict HtmlTreeState::end_in_template(const Token&) {
    if (!open_.has(template_)) return Verdict::done;
    open_.pop_until(template_);
    formatting_.clear_to_marker();
    if (!template_modes_.empty()) template_modes_.pop_back();
    reset_mode();
    return Verdict::again;
}

HtmlText HtmlTreeState::begin_fragment(Element element, Namespace space) {
    has_context_ = true;
    context_ = {.element = element, .space = space, .traits = traits_of(element, space)};
    open_implied(html);
    if (context_.is_html(template_)) template_modes_.push_back(Mode::in_template);
    reset_mode();
    if (context_.is_html(form)) form_ = open_.current().serial;
    if (space != Namespace::html) return HtmlText::data;
    switch (element) {
        case title:
        case textarea: return HtmlText::rcdata;
        case style:
        case xmp:
        case iframe:
        case noembed:
        case noframes: return HtmlText::rawtext;
        case script: return HtmlText::script_data;
        case noscript: return scripting_ == Scripting::on ? HtmlText::rawtext : HtmlText::data;
        case plaintext: return HtmlText::plaintext;
        default: return HtmlText::data;
    }
}

}  // namespace weft::web
