#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "web/markup/active_formatting.h"
#include "web/markup/html_tokenizer.h"
#include "web/markup/open_elements.h"

namespace weft::web {

// What tree construction decides about a start tag.
struct Placement {
    Element element = Element::unknown;  // For <image> it is img.
    Namespace space = Namespace::html;
    HtmlText text = HtmlText::data;  // What the tokenizer reads next.
    bool is_inserted = false;        // False if the tag is ignored at this place.
    bool is_in_template = false;
    bool is_in_noscript = false;
};

// The tree construction of the HTML standard (section 13.2.6) without the tree. It decides which
// tags count, and what is text and what is markup. It keeps the stack of open elements, the active
// formatting elements and the insertion mode, but nothing of the document.
//
// By default scripting is off, so the content of <noscript> is markup. A program that needs a
// browser's view of the page turns it on; then the content is text.
//
// Quirks mode and the merging of attributes into html and body are left out, because no tag or text
// depends on them. The depth (see OpenElements) and the work per token are bounded. HtmlReader owns
// it. Used by one thread.
class HtmlTreeState {
public:
    enum class Scripting : bool { off, on };

    explicit HtmlTreeState(Scripting scripting = Scripting::off) : scripting_(scripting) {}

    Placement start_tag(const HtmlTag& tag);
    void end_tag(const HtmlTag& tag);
    void text(std::string_view piece);
    void doctype();

    // The usual case of start_tag() and end_tag(), in the body of well-formed markup: the tag only
    // opens an element, or closes the current one. They return false or null and change nothing if
    // the rules ask for more; then start_tag() or end_tag() must be called. end_simple() gets the
    // name of an end tag, of which kSimpleTagRoom bytes can be read, and returns the byte after the
    // tag. REQUIRES: wants_text() is false.
    bool start_simple(const HtmlTag& tag);
    const char* end_simple(const char* name);

    // Whether text would open formatting elements again, so that wants_text() is true.
    bool needs_reconstruction() const { return formatting_.needs_reconstruction(open_); }

    // The placement of a tag that start_simple() has taken.
    Placement simple_placement(Element element) const {
        return {.element = element,
                .is_inserted = true,
                .is_in_template = open_.has(Element::template_),
                .is_in_noscript = open_.has(Element::noscript)};
    }

    // Whether text at this place can change the state. If not, the caller need not pass it.
    bool wants_text() const;

    // Whether the current node is an SVG or MathML element: only there `<![CDATA[` starts a CDATA
    // section.
    bool is_in_foreign_content() const {
        return !open_.is_empty() && open_.current().space != Namespace::html;
    }

    void reset();

    std::uint64_t step_count() const { return step_count_ + open_.step_count(); }

private:
    // The standard's insertion modes, without "text" (is_in_raw_text_) and "in table text".
    enum class Mode : std::uint8_t {
        initial,
        before_html,
        before_head,
        in_head,
        in_head_noscript,
        after_head,
        in_body,
        in_table,
        in_caption,
        in_column_group,
        in_table_body,
        in_row,
        in_cell,
        in_template,
        after_body,
        in_frameset,
        after_frameset,
        after_after_body,
        after_after_frameset,
    };
    // A token of the tokenizer. Text is one token: white space only, or with other characters.
    struct Token {
        enum class Kind : std::uint8_t { start, end, space, characters };
        Kind kind;
        Element element = Element::unknown;
        const HtmlTag* tag = nullptr;

        bool is_start(Element wanted) const { return kind == Kind::start && element == wanted; }
        bool is_end(Element wanted) const { return kind == Kind::end && element == wanted; }
        bool is_text() const { return kind == Kind::space || kind == Kind::characters; }
        std::uint32_t name() const { return name_key(element, tag->raw_name()); }
    };
    // What a mode did with a token: it is done, or it must be processed again in the new mode.
    enum class Verdict : bool { done, again };

    bool start_in_body(Element element);
    bool close_simple(Element element);
    bool is_in_body() const {
        return mode_ == Mode::in_body || mode_ == Mode::in_cell || mode_ == Mode::in_caption;
    }

    // The dispatcher and foreign content (html_tree_state.cpp).
    void process(const Token& token);
    bool follows_html_rules(const Token& token) const;
    Verdict by_mode(const Token& token);
    Verdict foreign(const Token& token);
    Verdict foreign_start(const Token& token);
    Verdict foreign_end(const Token& token);
    Verdict leave_foreign(const Token& token);
    void insert_foreign(const Token& token, Namespace space);

    // The modes outside of body and tables (html_tree_head.cpp).
    Verdict initial(const Token& token);
    Verdict before_html(const Token& token);
    Verdict before_head(const Token& token);
    Verdict in_head(const Token& token);
    Verdict in_head_noscript(const Token& token);
    Verdict after_head(const Token& token);
    Verdict in_template(const Token& token);
    Verdict after_body(const Token& token);
    Verdict in_frameset(const Token& token);
    Verdict after_frameset(const Token& token);
    void start_template();
    void end_template();

    // The mode "in body" (html_tree_body.cpp, html_tree_body_end.cpp).
    Verdict in_body(const Token& token);
    Verdict body_start(const Token& token);
    void start_html_part(const Token& token);
    void start_frameset(const Token& token);
    void start_block(const Token& token);
    void start_form(const Token& token);
    void start_list_item(const Token& token);
    void start_control(const Token& token);
    void start_a(const Token& token);
    void start_formatting(const Token& token);
    void add_formatting(const HtmlTag& tag);
    void start_raw_text(const Token& token);
    void start_void(const Token& token);
    Verdict body_end(const Token& token);
    Verdict end_body(const Token& token);
    static bool ends_block(Element element);
    void end_block(const Token& token);
    void end_form();
    void end_item(const Token& token);
    void end_heading();
    void end_object(const Token& token);
    void any_other_end(const Token& token);

    // The modes of tables (html_tree_table.cpp).
    Verdict in_table(const Token& token);
    Verdict table_start(const Token& token);
    Verdict table_end(const Token& token);
    Verdict in_caption(const Token& token);
    Verdict in_column_group(const Token& token);
    Verdict in_table_body(const Token& token);
    Verdict in_row(const Token& token);
    Verdict in_cell(const Token& token);
    Verdict close_caption();
    Verdict close_section();
    Verdict close_row();
    Verdict close_cell();
    void clear_to(std::initializer_list<Element> context);
    void reset_mode();
    static bool is_hidden_input(const HtmlTag& tag);

    // The three functions for insertion set placement_. Only insert() also pushes the element.
    void insert(const Token& token);
    void insert_void(const Token& token);
    void insert_raw(const Token& token, HtmlText text);
    void open_implied(Element element);  // Opens an element whose start tag was left out.
    void place(Element element, Namespace space);
    void close_p();
    void close_p_in_scope() {
        if (open_.has_in_button_scope(Element::p)) close_p();
    }

    Scripting scripting_;
    OpenElements open_;
    ActiveFormatting formatting_;
    std::vector<Mode> template_modes_;  // The standard's "stack of template insertion modes".
    Placement placement_;               // Of the current start tag.
    Mode mode_ = Mode::initial;
    bool is_frameset_ok_ = true;   // The standard's "frameset-ok flag".
    bool is_in_raw_text_ = false;  // Until its end tag; only the tokenizer recognises that tag.
    bool has_head_ = false;        // The standard's "head element pointer" is set.
    std::uint32_t form_ = 0;       // The standard's "form element pointer", as a serial number.
    std::uint64_t step_count_ = 0;
};

}  // namespace weft::web
