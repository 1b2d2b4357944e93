#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <vector>

#include "web/markup/html_names.h"

namespace weft::extract {

// What of a matched element is wanted: its whole text; with `::text` only the text that is directly
// in it, not that of its descendants (both with white space collapsed); an attribute, its HTML or
// its Markdown.
enum class SelectorPart : std::uint8_t { element, text, attribute, html, markdown };

// Why a text is no selector. `column` is the character, from 1, that the reason is about.
struct SelectorError {
    std::size_t column = 0;
    std::string reason;
};

// One test of an element, such as `.price` or `:nth-child(2n+1)`.
struct SelectorTest {
    enum class Kind : std::uint8_t {
        type,  // `p`; the name is in `name`.
        id,
        class_name,
        attribute,  // `[name]`, and with an operator `[name^=value]`
        nth,        // All of :nth-…(), :first-…, :last-…; :only-… is two of them.
        empty,
        root,
        contains,  // :contains("text"): the text, as written, is in the element's
        is,        // :is(), :where(): one of the lists' selectors matches
        not_any,
        has,  // The selectors in the list are relative.
    };
    Kind kind = Kind::type;
    char operation = 0;         // Of an attribute: 0, '=', '~', '|', '^', '$' or '*'.
    bool ignores_case = false;  // `[type=TEXT i]`
    bool is_of_type = false;    // Of nth.
    bool is_from_end = false;   // Of nth.
    web::Element element = web::Element::unknown;  // Of a type with a known name.
    std::int32_t step = 0;                         // Of nth: An+B.
    std::int32_t offset = 0;
    std::string name;
    std::string value;
    std::uint32_t list = 0;  // Of is, not_any and has: an index of Selector::lists.
};

// How a compound selector is related to the one on its left.
enum class Combinator : std::uint8_t { descendant, child, next_sibling, later_sibling };

// `li.a:empty`: all tests must pass.
struct CompoundSelector {
    std::vector<SelectorTest> tests;
    Combinator combinator = Combinator::descendant;
};

// `ul > li a`: compounds from left to right.
struct ComplexSelector {
    std::vector<CompoundSelector> compounds;
};

// A compiled list of selectors (Selectors Level 4, the part that the documentation lists), with the
// pseudo-element at its end. Names of types and attributes are in lower case. It is a value, and
// may be used by many threads at once.
struct Selector {
    // A longer text, or one with more parts, is an error.
    static constexpr std::size_t kBytesMax = 4096;
    static constexpr std::size_t kDepthMax = 8;  // Of lists in lists.

    std::vector<std::vector<ComplexSelector>> lists;  // lists[0] is the selector itself.
    SelectorPart part = SelectorPart::element;
    std::string attribute;  // Of SelectorPart::attribute.
};

std::expected<Selector, SelectorError> parse_selector(std::string_view text);

}  // namespace weft::extract
