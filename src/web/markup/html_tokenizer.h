#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/limits.h"
#include "web/markup/html_doctype.h"
#include "web/markup/html_tag.h"

namespace weft::web {

// What the bytes between tags are: the tokenizer's content states in the standard's own words.
enum class HtmlText : std::uint8_t {
    data,         // Tags and character references.
    rcdata,       // References, and only the end tag of the element (title, textarea).
    rawtext,      // Only the end tag of the element (style, xmp, iframe, noembed, noframes).
    script_data,  // As rawtext, but `<!--` with `<script` inside may hide an end tag.
    plaintext,    // Nothing but text to the end of the document.
    cdata,        // Text up to `]]>` (foreign content only).
};

// What the tokenizer reports to: a tree builder, or whoever plays one.
class HtmlSink {
public:
    // Returns what follows the tag: only the tree builder knows that a <title> is not inside SVG.
    virtual HtmlText start_tag(const HtmlTag& tag) = 0;
    virtual void end_tag(const HtmlTag& tag) = 0;

    // Text comes in pieces of any size, decoded, CR LF made LF; valid during the call. A NUL of the
    // data and cdata states is handed on as it is.
    virtual void text(std::string_view) {}
    virtual void comment(std::string_view) {}
    virtual void doctype(const HtmlDoctype&) {}

    // Whether the adjusted current node is an SVG or MathML element, where `<![CDATA[` counts.
    virtual bool is_in_foreign_content() { return false; }

protected:
    ~HtmlSink() = default;
};

// The tokenizer of the HTML standard (section 13.2.5), streaming: the same events come out however
// the document is cut into pieces. Time is linear in the input and memory bounded: besides one tag
// (HtmlTag names its limits) nothing is kept, and a comment or doctype is cut at kTagBytesMax.
// Nothing is allocated per tag once the buffers have grown.
//
// Input is UTF-8; other bytes pass through as they are, and a byte order mark is text.
// Not thread-safe; the sink must outlive the tokenizer and must not feed it from inside an event.
class HtmlTokenizer {
public:
    explicit HtmlTokenizer(HtmlSink& sink) : sink_(sink) {}  // attributes_ is written before read.
    HtmlTokenizer(const HtmlTokenizer&) = delete;
    HtmlTokenizer& operator=(const HtmlTokenizer&) = delete;

    void feed(std::string_view piece);

    // Counts bytes in the offsets that are not to be tokenized: a byte order mark.
    void skip(std::size_t byte_count) { piece_offset_ += byte_count; }

    // The end of the document. REQUIRES: nothing is fed after it but after reset().
    void finish();

    // Ready for another document, buffers kept.
    void reset();

    // What the buffers hold.
    std::size_t memory_bytes() const { return carry_.capacity() + scratch_.capacity(); }

    // Text and comments are wanted at first. Skipping text is several times as fast as reading it;
    // the switches may be turned at any time, inside an event too.
    void want_text(bool wanted) { wants_text_ = wanted; }
    void want_comments(bool wanted) { wants_comments_ = wanted; }

    // Begins inside an element, as when a fragment is parsed.
    void start_in(HtmlText text, std::string_view last_start_tag);

    // How much work was done, in state changes: the proof that it is linear.
    std::uint64_t step_count() const { return step_count_; }

private:
    // Named after the standard's states; those that differ only in errors reported are one.
    enum class State : std::uint8_t {
        text,
        reference,
        tag_open,
        end_tag_open,
        tag_name,
        before_attribute_name,
        attribute_name,
        after_attribute_name,
        before_attribute_value,
        attribute_value_double_quoted,
        attribute_value_single_quoted,
        attribute_value_unquoted,
        self_closing_start_tag,
        raw_less_than,
        raw_end_tag_open,
        raw_end_tag_name,
        script_escape_start,
        script_escape_start_dash,
        script_double_escape_edge,
        script_double_escaped_less_than,
        markup_declaration,
        bogus_comment,
        doctype,
        comment_start,
        comment_start_dash,
        comment,
        comment_end_dash,
        comment_end,
        comment_end_bang,
        cdata_bracket,
        cdata_end,
    };
    enum class ScriptEscape : std::uint8_t { none, escaped, double_escaped };

    // Each reads on from `p` in the current state and returns where it stopped, having changed the
    // state or reached `end`. REQUIRES: p < end.
    const char* step(const char* p, const char* end);
    const char* text_run(const char* p, const char* end);
    const char* text_stop(const char* stop, const char* end);
    const char* script_escaped_run(const char* p, const char* end);
    const char* script_less_than(const char* p);
    const char* script_step(const char* p);
    const char* double_escape_edge(const char* p);
    const char* cdata_run(const char* p, const char* end);
    const char* cdata_step(const char* p);
    const char* reference(const char* p, const char* end);
    bool takes_into_reference(char c);
    void finish_reference();

    const char* tag_open(const char* p);
    const char* end_tag_open(const char* p);
    const char* quick_tag(const char* p, const char* end);
    const char* quick_attributes(const char* p, const char* end);
    const char* raw_end_tag(const char* p, const char* end);
    const char* tag_step(const char* p, const char* end);
    const char* tag_name(const char* p, const char* end);
    const char* before_attribute_name(const char* p, const char* end);
    const char* attribute_name(const char* p, const char* end);
    const char* after_attribute_name(const char* p, const char* end);
    const char* before_attribute_value(const char* p, const char* end);
    const char* attribute_value(const char* p, const char* end);
    const char* unquoted_value(const char* p, const char* end);
    void begin_tag(bool is_end_tag);
    void begin_attribute(const char* p);
    void commit_attribute();
    const char* emit_tag(const char* after);

    const char* markup_declaration(const char* p);
    const char* markup_step(const char* p, const char* end);
    const char* comment_step(const char* p, const char* end);
    const char* begin_markup(State state, std::size_t content_begin, const char* p);
    const char* emit_markup(const char* content_end, const char* after);
    void emit_comment(std::string_view content);

    // A token is held from its '<': `mark_` is its first byte in this piece, `carry_` what came in
    // earlier pieces (at most kTagBytesMax of it), `carried_` how much that was in truth.
    void begin_token(const char* p);
    std::size_t place(const char* p) const {
        return carried_ + static_cast<std::size_t>(p - mark_);
    }
    std::string_view token_until(const char* p);
    const char* token_is_text(const char* p);
    void emit_text(const char* begin, const char* end);
    void emit_text(std::string_view text) { emit_text(text.data(), text.data() + text.size()); }

    HtmlSink& sink_;
    State state_ = State::text;
    HtmlText text_ = HtmlText::data;
    ScriptEscape script_escape_ = ScriptEscape::none;
    bool wants_text_ = true;
    bool wants_comments_ = true;
    bool holds_token_ = false;
    bool skips_line_feed_ = false;  // The CR before it was handed on as LF.
    bool is_end_tag_ = false;
    bool is_self_closing_ = false;
    std::uint8_t dash_count_ = 0;
    std::string_view word_;        // What the letters behind `<!` are compared with.
    std::size_t match_count_ = 0;  // Letters that agreed with the word being compared.

    const char* piece_begin_ = nullptr;
    const char* mark_ = nullptr;
    std::uint64_t piece_offset_ = 0;
    std::uint64_t token_offset_ = 0;
    std::size_t carried_ = 0;
    std::string carry_;

    std::size_t name_end_ = 0;
    std::size_t content_begin_ = 0;
    struct {
        std::size_t name_begin, name_end, value_begin, value_end;
    } current_{};
    std::size_t attribute_count_ = 0;
    std::array<HtmlTag::Span, limits::kAttributeCountMax> attributes_;

    std::string last_start_tag_;
    std::string scratch_;
    std::array<char, 48> reference_{};
    std::size_t reference_size_ = 0;
    std::uint64_t step_count_ = 0;
};

}  // namespace weft::web
