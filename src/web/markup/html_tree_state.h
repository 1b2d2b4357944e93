#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "web/markup/active_formatting.h"
#include "web/markup/html_tokenizer.h"
#include "web/markup/open_elements.h"
#include "web/tree/html_tree_nodes.h"

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

// The tree construction of the HTML standard (section 13.2.6). It decides which tags count, and
// what is text and what is markup. It keeps the stack of open elements, the active formatting
// elements and the insertion mode, but nothing of the document. If a tree is wanted, it tells
// HtmlTreeNodes what to add, copy and move.
//
// By default scripting is off, so the content of <noscript> is markup. A program that needs a
// browser's view of the page turns it on; then the content is text.
//
// The depth (see OpenElements) and the work per token are bounded. HtmlReader and HtmlTreeBuilder
// own one. Used by one thread.
class HtmlTreeState {
public:
    enum class Scripting : bool { off, on };

    explicit HtmlTreeState(Scripting scripting = Scripting::off) : scripting_(scripting) {}

    Placement start_tag(const HtmlTag& tag);
    void end_tag(const HtmlTag& tag);
    void text(std::string_view piece);
    void doctype();

    // Builds a tree from here on, until the next reset().
    void build(HtmlTreeNodes& nodes) { nodes_ = &nodes; }

    // These matter only for a tree. Text must then come as whole runs, from one tag or comment to
    // the next. Without finish() a page may lack its html, head and body.
    void comment(std::string_view text);
    void instruction(std::string_view target, std::string_view data);
    void doctype(const HtmlDoctype& doctype);
    void finish();

    // Parses a fragment (section 13.2.9), as if it was inside the element. Call it after build().
    // Returns what the tokenizer reads first.
    HtmlText begin_fragment(Element element, Namespace space);

    // Whether start_simple() and end_simple() may be called now, and text without NUL only goes
    // into the current element. In the structure of a table, only white space does.
    bool is_simple() const {
        return !is_in_raw_text_ && !is_frameset_ok_ && !has_context_ && is_simple_mode() &&
               !needs_reconstruction();
    }
    bool takes_any_text() const { return is_in_body(); }

    // The elements that start_simple() has opened have no nodes yet.
    OpenElements& open() { return open_; }
    void set_current_node(std::uint32_t node) {
        open_.set_node(open_.size() - 1, node);
        formatting_.set_last_node(open_.current().serial, node);
    }

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

    // The same for the parser of a fragment, whose "adjusted current node" may be its context.
    bool is_foreign() const {
        return !open_.is_empty() && adjusted_current().space != Namespace::html;
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
    // A token of the tokenizer. Text is one token: white space only, or with other characters, or
    // NULs only.
    struct Token {
        enum class Kind : std::uint8_t { start, end, space, characters, nul, end_of_file };
        Kind kind;
        Element element = Element::unknown;
        const HtmlTag* tag = nullptr;
        std::string_view text = {};

        bool is_start(Element wanted) const { return kind == Kind::start && element == wanted; }
        bool is_end(Element wanted) const { return kind == Kind::end && element == wanted; }
        bool is_text() const { return kind >= Kind::space && kind <= Kind::nul; }
        std::uint32_t name() const { return name_key(element, tag->raw_name()); }
    };
    // What a mode did with a token: it is done, or it must be processed again in the new mode.
    enum class Verdict : bool { done, again };

    bool start_in_body(Element element);
    bool start_special(Element element);
    bool close_simple(Element element);
    bool close_table_part(Element element);
    bool is_in_body() const {
        constexpr auto bit = [](Mode mode) { return 1u << static_cast<unsigned>(mode); };
        return (bit(mode_) & (bit(Mode::in_body) | bit(Mode::in_cell) | bit(Mode::in_caption))) !=
               0;
    }

    bool is_simple_mode() const {
        return is_in_body() || mode_ == Mode::in_row || mode_ == Mode::in_table_body ||
               mode_ == Mode::in_table;
    }

    // What only a tree needs (html_tree_content.cpp).
    std::uint32_t add_node(Element element, Namespace space, const HtmlTag* tag) {
        return nodes_ ? build_node(element, space, tag) : 0;
    }
    std::uint32_t build_node(Element element, Namespace space, const HtmlTag* tag);
    HtmlTreeNodes::InsertionPoint place_here() const;
    HtmlTreeNodes::InsertionPoint comment_place() const;
    void add_text(const Token& token) {
        if (nodes_) build_text(token);
    }
    void build_text(const Token& token);
    void add_spaces(const Token& token);
    void add_run(std::string_view run);
    bool is_in_table_structure() const;
    Verdict fostered(const Token& token);
    Verdict end_in_template(const Token& token);
    const OpenElement& adjusted_current() const {
        return has_context_ && open_.size() == 1 ? context_ : open_.current();
    }
    void reconstruct() { formatting_.reconstruct(open_, nodes_); }

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

    // These matter only for a tree.
    HtmlTreeNodes* nodes_ = nullptr;
    bool is_quirks_ = false;
    bool has_context_ = false;    // A fragment is parsed.
    OpenElement context_;         // The element that the fragment is in.
    std::uint32_t raw_node_ = 0;  // Takes the text if is_in_raw_text_.
    std::uint32_t head_node_ = 0;
    bool is_into_head_ = false;  // A late element of the head goes into it, though it is closed.
    std::string scratch_;
    std::uint64_t step_count_ = 0;
};

}  // namespace weft::web
