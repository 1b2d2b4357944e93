#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/bytes.h"
#include "web/markup/html_names.h"

namespace weft::web {

// An attribute as it is written in the source: the name in any case, the value without its quotes
// and with its character references not decoded (see decode_attribute()).
struct HtmlAttribute {
    std::string_view name;
    std::string_view value;
};

// A start or end tag that the tokenizer passes to its sink. It points into the tokenizer's buffers:
// the tag and all views that it returns are valid only during that call.
//
// Attributes are in source order and may repeat. Only the first of a name counts; find() returns
// that one. Left out are attributes after the first kAttributeCountMax of the tag, those with a
// name or value longer than kAttributeBytesMax, and those that end after the first kTagBytesMax
// bytes of the tag. The tag's name is cut at kTagBytesMax.
class HtmlTag {
public:
    // The offsets of an attribute's parts, counted from the tag's '<'.
    struct Span {
        std::uint32_t name_begin, name_end;
        std::uint32_t value_begin, value_end;
    };

    HtmlTag(const char* source, std::string_view raw_name, std::span<const Span> spans)
        : element(element_of(raw_name)), source_(source), raw_name_(raw_name), spans_(spans) {}

    // The same for a name that is known to be of that element.
    HtmlTag(Element known, const char* source, std::string_view raw_name,
            std::span<const Span> spans)
        : element(known), source_(source), raw_name_(raw_name), spans_(spans) {}

    Element element;
    bool is_self_closing = false;
    std::uint64_t offset = 0;  // Of the '<', in bytes from the start of the document.
    std::uint64_t end = 0;     // Of the byte after the '>', likewise.

    std::string_view raw_name() const { return raw_name_; }

    // The name in lower case, with NUL replaced by U+FFFD.
    std::string name() const;

    std::size_t attribute_count() const { return spans_.size(); }
    HtmlAttribute attribute(std::size_t i) const {
        const Span& s = spans_[i];
        return {{source_ + s.name_begin, s.name_end - s.name_begin},
                {source_ + s.value_begin, s.value_end - s.value_begin}};
    }

    // The raw value of the first attribute of that name. REQUIRES: `lower_name` is lower case.
    std::optional<std::string_view> find(std::string_view lower_name) const;

private:
    const char* source_;
    std::string_view raw_name_;
    std::span<const Span> spans_;
};

// Whether `raw` in lower case is `lower`.
inline bool is_same_name(std::string_view raw, std::string_view lower) {
    if (raw.size() != lower.size()) return false;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        // `lower` is in lower case already, so only one side is converted.
        if (to_lower(raw[i]) != lower[i]) return false;
    }
    return true;
}

}  // namespace weft::web
