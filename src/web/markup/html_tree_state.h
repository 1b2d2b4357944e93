#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "web/markup/active_formatting.h"
#include "web/markup/html_tokenizer.h"
#include "web/markup/open_elements.h"

namespace weft::web {

// What the tree builder makes of a start tag.
struct Placement {
    Element element = Element::unknown;  // <image> is made img.
    Namespace space = Namespace::html;
    HtmlText text = HtmlText::data;  // What the tokenizer reads next.
    bool is_inserted = false;        // False: the tag is ignored where it stands.
    bool is_in_template = false;
    bool is_in_noscript = false;
};

// The tree construction of the HTML standard (section 13.2.6) without the tree: all that decides
// which tags count, what is text and what is markup. It keeps the stack of open elements, the
// active formatting elements and the insertion mode; nothing of the document.
//
// Scripting is off, so that what <noscript> holds is markup; a program that needs a browser's view
// of the page turns it on, and then it is text.
//
// Not followed, since no tag or text depends on it: quirks mode, and attributes merged into html
// and body. Depth is bounded (OpenElements), work per token too.
class HtmlTreeState {
public:
    enum class Scripting : bool { off, on };

    explicit HtmlTreeState(Scripting scripting = Scripting::off) : scripting_(scripting) {}

    Placement start_tag(const HtmlTag& tag);
    void end_tag(const HtmlTag& tag);
    void text(std::string_view piece);
    void doctype();

    // Whether text here can change anything.
    bool wants_text() const;

    // Whether the current node is an SVG or MathML element, where `<![CDATA[` begins text.
    bool is_in_foreign_content() const {
        return !open_.is_empty() && open_.current().space != Namespace::html;
    }

    void reset();

    std::uint64_t step_count() const { return step_count_ + open_.step_count(); }

private:
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
    // What a mode did with a token: it is dealt with, or to be processed again in another mode.
    enum class Verdict : bool { done, again };

    void process(const Token& token);
    bool follows_html_rules(const Token& token) const;
    Verdict by_mode(const Token& token);
    Verdict foreign(const Token& token);
    Verdict foreign_start(const Token& token);
    Verdict foreign_end(const Token& token);
    Verdict leave_foreign(const Token& token);
    void insert_foreign(const Token& token, Namespace space);

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

    void insert(const Token& token);
    void insert_void(const Token& token);
    void insert_raw(const Token& token, HtmlText text);
    void open_implied(Element element);
    void place(Element element, Namespace space);
    void close_p();
    void close_p_in_scope() {
        if (open_.has_in_button_scope(Element::p)) close_p();
    }

    Scripting scripting_;
    OpenElements open_;
    ActiveFormatting formatting_;
    std::vector<Mode> template_modes_;
    Placement placement_;
    Mode mode_ = Mode::initial;
    bool is_frameset_ok_ = true;
    bool is_in_raw_text_ = false;  // Until its end tag, which the tokenizer alone recognises.
    bool has_head_ = false;
    std::uint32_t form_ = 0;  // The open form's serial number.
    std::uint64_t step_count_ = 0;
};

}  // namespace weft::web
