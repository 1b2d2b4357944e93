#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

#include "web/charset/encoding.h"

namespace weft::web::detail {

// A position in a document whose encoding is not known but contains ASCII, and the steps of the
// prescan that move it. A step that runs out of bytes stops at the end: check at_end(). The bytes
// must outlive it.
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

    // Whether `name`, in any case, starts here and is followed by a byte of `ends`.
    bool has_name(std::string_view name, std::string_view ends) const;

    // The standard's "get an attribute". None at the end of the tag, where the position then is,
    // and at the end of the bytes. The views point into the document.
    struct Attribute {
        std::string_view name;
        std::string_view value;
    };
    std::optional<Attribute> next_attribute();

    // Moves past the attributes to the end of the tag.
    void skip_attributes();

    // The encoding that the attributes of a meta tag declare. The position is at its first
    // attribute and moves to the end of the tag. If it is at_end() afterwards, the result has no
    // meaning.
    std::optional<Encoding> meta_encoding();

private:
    std::string_view attribute_value();

    std::string_view bytes_;
    std::size_t at_ = 0;
};

}  // namespace weft::web::detail
