#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace weft::web {

// What is wrong with an XML text. None of it stops an XmlReader.
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
    std::string_view attributes;  // The text behind the name.
    bool is_empty = false;        // <a/>: its end follows at once.

    // The attribute's value with references decoded; names are compared as written.
    std::optional<std::string> attribute(std::string_view attribute_name) const;

    // Takes the next attribute off the front of `rest`, which starts as `attributes`.
    struct Attribute {
        std::string_view name;
        std::string_view raw_value;
    };
    static std::optional<Attribute> next_attribute(std::string_view& rest);
};

// Receives what an XmlReader reads. Depth counts open elements, the root's being 1.
class XmlHandler {
public:
    virtual ~XmlHandler() = default;
    virtual void on_start(const XmlTag& tag, std::size_t depth) = 0;
    virtual void on_end(std::string_view name, std::size_t depth) = 0;
    virtual void on_text(std::string_view text) = 0;
    virtual void on_doctype() = 0;
};

// Reads XML in pieces of any size, forgivingly: it goes on after every fault and remembers the
// first. The result does not depend on how the text was cut.
//
// Safe on hostile text: no entity is ever defined, only the five built-in ones and numbers are
// understood; a DTD is passed over unread; nothing is fetched. Elements below kXmlDepthMax are
// counted but not reported, though their text is. Memory is bounded by kTagBytesMax.
class XmlReader {
public:
    explicit XmlReader(XmlHandler& handler) : handler_(handler) {}

    // UTF-8; a byte order mark is the caller's to remove.
    void feed(std::string_view bytes);

    // Ends what is still open.
    void finish();

    const std::optional<XmlError>& fault() const { return fault_; }

    // The text ended within character data: the last on_text() may be only the beginning.
    bool ended_in_text() const { return state_ == State::text || state_ == State::reference; }

private:
    enum class State {
        text,
        reference,    // Behind `&`.
        markup,       // Behind `<`.
        tag,          // In a start or end tag.
        declaration,  // Behind `<!`, not yet known what.
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
    State after_comment_ = State::text;  // A comment may stand in a DTD.
    std::string token_;            // What is read of the current tag, reference or declaration.
    char quote_ = 0;               // The quote we are in, in a tag or DTD.
    std::size_t end_matched_ = 0;  // How much of a comment's end (in a DTD: start) was seen.
    std::size_t bracket_depth_ = 0;
    bool is_token_cut_ = false;
    bool has_doctype_ = false;
    bool had_root_ = false;
    std::vector<std::string> open_;  // At most kXmlDepthMax.
    std::size_t deeper_ = 0;         // Open elements below those.
    std::optional<XmlError> fault_;
};

// The text with its references decoded; `&` that starts none stays as it is.
std::string decode_xml_references(std::string_view text);

}  // namespace weft::web
