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

// What the bytes between tags are. The names are those of the standard's content states.
enum class HtmlText : std::uint8_t {
    data,         // Tags and character references.
    rcdata,       // References, and only the end tag of the element (title, textarea).
    rawtext,      // Only the end tag of the element (style, xmp, iframe, noembed, noframes).
    script_data,  // Like rawtext, but `<!--` with `<script` inside may hide an end tag.
    plaintext,    // Only text up to the end of the document.
    cdata,        // Text up to `]]>` (only in foreign content).
};

// Receives the events of the tokenizer. It is a tree builder, or something that acts like one.
class HtmlSink {
public:
    // Returns what kind of text follows the tag. Only the tree builder knows this: a <title> inside
    // SVG has ordinary content.
    virtual HtmlText start_tag(const HtmlTag& tag) = 0;
    virtual void end_tag(const HtmlTag& tag) = 0;

    // Text comes in pieces of any size, with references decoded and CR LF changed to LF. A piece is
    // valid during the call. In the data and cdata states a NUL is passed on as it is.
    virtual void text(std::string_view) {}
    virtual void comment(std::string_view) {}
    virtual void doctype(const HtmlDoctype&) {}

    // `<?target data?>`, with what is between '<' and '>', cut like a comment. `is_complete` is
    // false if the document ended before the '>'. Older standards call it a comment.
    virtual void instruction(std::string_view content, bool /*is_complete*/) { comment(content); }

    // Offers the bytes from `p`, which are in the data state and whose text is not wanted. The sink
    // may read tags from them itself and returns where it stopped: before a tag that it leaves to
    // the tokenizer, or after a tag if text is wanted from there on. `offset` is that of `p` in the
    // document.
    virtual const char* read_tags(const char* p, const char* /*end*/, std::uint64_t /*offset*/) {
        return p;
    }

    // Whether the adjusted current node is an SVG or MathML element: only there `<![CDATA[` starts
    // a CDATA section.
    virtual bool is_in_foreign_content() { return false; }

protected:
    ~HtmlSink() = default;
};

// The tokenizer of the HTML standard (section 13.2.5) for documents that come in pieces. The cuts
// between pieces do not change the events. Time is linear in the input. Memory is bounded: only one
// tag is stored (HtmlTag gives its limits), and a comment or doctype is cut at kTagBytesMax. Once
// the buffers have grown, no tag needs an allocation.
//
// The input is UTF-8. Other bytes pass through as they are, and a byte order mark is text. It is
// not thread-safe. The sink must outlive the tokenizer and must not call feed() from inside an
// event.
class HtmlTokenizer {
public:
    explicit HtmlTokenizer(HtmlSink& sink) : sink_(sink) {}  // attributes_ is written before read.
    HtmlTokenizer(const HtmlTokenizer&) = delete;
    HtmlTokenizer& operator=(const HtmlTokenizer&) = delete;

    void feed(std::string_view piece);

    // Adds bytes to the offsets that are not tokenized, such as a byte order mark.
    void skip(std::size_t byte_count) { piece_offset_ += byte_count; }

    // Ends the document. REQUIRES: reset() is called before the next feed().
    void finish();

    // Prepares for another document and keeps the buffers.
    void reset();

    // The memory of the buffers.
    std::size_t memory_bytes() const { return carry_.capacity() + scratch_.capacity(); }

    // Whether the sink gets text and comments; at first it does. Skipping text is several times as
    // fast as reading it. Both may be called at any time, also inside an event.
    void want_text(bool wanted) { wants_text_ = wanted; }
    void want_comments(bool wanted) { wants_comments_ = wanted; }

    // Starts inside an element, as the parsing of a fragment needs it.
    void start_in(HtmlText text, std::string_view last_start_tag);

    // The number of state changes so far. Tests use it to prove that the work is linear.
    std::uint64_t step_count() const { return step_count_; }

private:
    // Named after the standard's states. States that differ only in the errors they report are one
    // state here.
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

    // Each of these reads from `p` in the current state and returns where it stopped: it has
    // changed the state or reached `end`. REQUIRES: p < end.
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

    // Tags (html_tokenizer_tag.cpp).
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

    // Comments and doctypes (html_tokenizer_markup.cpp).
    const char* markup_declaration(const char* p);
    const char* markup_step(const char* p, const char* end);
    const char* comment_step(const char* p, const char* end);
    const char* begin_markup(State state, std::size_t content_begin, const char* p);
    const char* emit_markup(const char* content_end, const char* after);
    std::string_view normalized(std::string_view content);

    // A token is stored from its '<' on. `mark_` is its first byte in this piece. `carry_` has its
    // bytes from earlier pieces, at most kTagBytesMax, and `carried_` is their real number.
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
    bool skips_line_feed_ = false;  // After a CR, which was passed on as LF.
    bool is_end_tag_ = false;
    bool is_self_closing_ = false;
    std::uint8_t dash_count_ = 0;  // In an escaped script: dashes directly before, at most 2.
    std::string_view word_;        // The word that the letters after `<!` are compared with.
    std::size_t match_count_ = 0;  // How many letters matched so far.

    // The piece that feed() reads, and the current token in it.
    const char* piece_begin_ = nullptr;
    const char* mark_ = nullptr;
    std::uint64_t piece_offset_ = 0;
    std::uint64_t token_offset_ = 0;
    std::size_t carried_ = 0;
    std::string carry_;

    // Offsets in the current token, counted from its '<'. They may be beyond kTagBytesMax.
    std::size_t name_end_ = 0;
    std::size_t content_begin_ = 0;
    struct {
        std::size_t name_begin, name_end, value_begin, value_end;
    } current_{};
    std::size_t attribute_count_ = 0;
    std::array<HtmlTag::Span, limits::kAttributeCountMax> attributes_;

    std::string last_start_tag_;  // The end tag with this name ends rcdata, rawtext and scripts.
    std::string scratch_;
    std::array<char, 48> reference_{};  // The character reference so far, from its '&'.
    std::size_t reference_size_ = 0;
    std::uint64_t step_count_ = 0;
};

}  // namespace weft::web
