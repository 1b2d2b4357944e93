#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "web/charset/encoding.h"

namespace weft::web::detail {

// A place in a document of unknown, but ASCII-like encoding, and the steps of the prescan that move
// it. A step that runs out of bytes leaves it at the end: check at_end().
class TagBytes {
public:
    explicit TagBytes(std::string_view bytes) : bytes_(bytes) {}

    bool at_end() const { return at_ >= bytes_.size(); }
    std::size_t position() const { return at_; }
    std::string_view rest() const { return bytes_.substr(at_); }

    void skip(std::size_t count);

    // Moves to the next `byte`, or to the next byte of `set`.
    void find(char byte);
    void find_any(std::string_view set);

    // Moves past the next `text`.
    void pass(std::string_view text);

    // Whether a name starts here, in any case, with a byte of `ends` behind it.
    bool has_name(std::string_view name, std::string_view ends) const;

    // The standard's "get an attribute". None at the tag's end, which is then here, and at the end
    // of the bytes. Views are into the document.
    struct Attribute {
        std::string_view name;
        std::string_view value;
    };
    std::optional<Attribute> next_attribute();

    // Moves past the attributes, to the tag's end.
    void skip_attributes();

    // The encoding that the attributes of a meta tag declare, of which this is the first; moves to
    // the tag's end. Without meaning at_end().
    std::optional<Encoding> meta_encoding();

private:
    std::string_view attribute_value();

    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace weft::web::detail
