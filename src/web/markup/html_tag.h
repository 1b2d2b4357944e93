#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "web/markup/html_names.h"

namespace weft::web {

// An attribute as it stands in the source: the name in any case, the value without its quotes and
// with its character references still in it (decode_attribute).
struct HtmlAttribute {
    std::string_view name;
    std::string_view value;
};

// A start or end tag, as the tokenizer hands it to its sink. It looks into the tokenizer's buffers:
// it and all views it gives are valid only during that call.
//
// Attributes stand in source order with repetitions; the first of a name counts, which is what
// `find` gives. Left out are attributes past the first kAttributeCountMax of the tag, those whose
// name or value is longer than kAttributeBytesMax, and those that end past the tag's first
// kTagBytesMax bytes; a name that runs past that point is cut there.
class HtmlTag {
public:
    // Where an attribute's parts lie, counted from the tag's '<'.
    struct Span {
        std::uint32_t name_begin, name_end;
        std::uint32_t value_begin, value_end;
    };

    HtmlTag(const char* source, std::string_view raw_name, std::span<const Span> spans)
        : element(element_of(raw_name)), source_(source), raw_name_(raw_name), spans_(spans) {}

    Element element;
    bool is_self_closing = false;
    std::uint64_t offset = 0;  // Of the '<', in bytes from the start of the document.
    std::uint64_t end = 0;     // Behind the '>', likewise.

    std::string_view raw_name() const { return raw_name_; }

    // Lower case, NUL made U+FFFD.
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

// Whether `raw`, in any case, spells `lower`.
bool is_same_name(std::string_view raw, std::string_view lower);

}  // namespace weft::web
