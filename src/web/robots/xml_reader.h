#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::web {

// What is wrong with an XML text. An XmlReader goes on after each of these.
enum class [[nodiscard]] XmlError {
    malformed_markup,
    mismatched_tag,
    unclosed,
    stray_ampersand,
    unknown_entity,
    text_outside_root,
    too_long,
};
std::string_view describe(XmlError error);

// A start tag. Valid during the call that hands it over.
struct XmlTag {
    std::string_view name;        // With its prefix, as written.
    std::string_view attributes;  // The text after the name.
    bool is_empty = false;        // <a/>: on_end() follows at once.

    // The attribute's value with references decoded. Names are compared as written.
    std::optional<std::string> attribute(std::string_view attribute_name) const;

    // Removes the next attribute from the front of `rest`. The caller starts with `attributes`.
    struct Attribute {
        std::string_view name;
        std::string_view raw_value;
    };
    static std::optional<Attribute> next_attribute(std::string_view& rest);
};

// Receives what an XmlReader reads. The depth of the root element is 1.
class XmlHandler {
public:
    virtual ~XmlHandler() = default;
    virtual void on_start(const XmlTag& tag, std::size_t depth) = 0;
    virtual void on_end(std::string_view name, std::size_t depth) = 0;
    virtual void on_text(std::string_view text) = 0;
    virtual void on_doctype() = 0;
};

// Reads XML in pieces of any size. It is lenient: it goes on after every fault and remembers the
// first one. The cuts between pieces do not change the elements and faults; they may split a text
// into several on_text() calls.
//
// It is safe on hostile text: no entity can be defined, only the five built-in entities and numeric
// references are decoded, a DTD is skipped, and nothing is fetched. Elements deeper than
// kXmlDepthMax are counted but not reported; their text is reported. Memory is bounded: the current
// tag and each name of an open element have at most kTagBytesMax.
//
// The handler must outlive the reader. It is called inside feed() and finish().
class XmlReader {
public:
    explicit XmlReader(XmlHandler& handler) : handler_(handler) {}

    // REQUIRES: the bytes are UTF-8 without a byte order mark.
    void feed(std::string_view bytes);

    // Ends the elements that are still open.
    void finish();

    const std::optional<XmlError>& fault() const { return fault_; }

    // Whether the input ends in character data, so that the last on_text() may be incomplete.
    bool ended_in_text() const { return state_ == State::text || state_ == State::reference; }

private:
    enum class State {
        text,
        reference,    // After `&`.
        markup,       // After `<`.
        tag,          // In a start or end tag.
        declaration,  // After `<!`: a comment, CDATA or DOCTYPE, not known yet which.
        comment,
        cdata,
        instruction,
        doctype,
    };

    std::size_t read_text(std::string_view bytes);
    std::size_t read_tag(std::string_view bytes);
    std::size_t read_until(std::string_view bytes, std::string_view end);
    void read_reference(char c);
    void read_markup(char c);
    void read_declaration(char c);
    void read_doctype(char c);
    void emit_text(std::string_view text);
    void emit_tag();
    void emit_end(std::string_view name);
    void pop();
    void note(XmlError error);

    XmlHandler& handler_;
    State state_ = State::text;
    State after_comment_ = State::text;  // State::doctype for a comment inside a DTD.
    std::string token_;  // The current tag, reference or declaration as far as it is read.
    char quote_ = 0;     // The open quote in a tag or DTD; 0 if there is none.
    std::size_t end_matched_ = 0;  // How much of a comment's end (in a DTD: start) matched so far.
    std::size_t bracket_depth_ = 0;
    bool is_token_cut_ = false;
    bool has_doctype_ = false;
    bool had_root_ = false;
    std::vector<std::string> open_;  // At most kXmlDepthMax.
    std::size_t deeper_ = 0;         // The number of open elements deeper than that.
    std::optional<XmlError> fault_;
};

// The text with its references decoded. An `&` that starts no known reference stays as it is.
std::string decode_xml_references(std::string_view text);

}  // namespace weft::web
