#pragma once

#include <cstddef>
#include <expected>
#include <string>
#include <string_view>

#include "extract/select/selector.h"

namespace weft::extract {

// Where the value of a named field is on a page or in a row.
struct FieldRule {
    static constexpr std::size_t kNameBytesMax = 200;

    std::string name;
    Selector selector;
    bool is_list = false;  // All matches are wanted, not just the first.
    // The selector is a part alone, such as `::attr(id)`: it is of the row's own element.
    bool is_of_row = false;
};

// The name may end in `[]`, for a list. Columns of an error count from the beginning of the
// selector, or of the name if `is_in_name`.
struct FieldError {
    SelectorError error;
    bool is_in_name = false;
};
std::expected<FieldRule, FieldError> parse_field(std::string_view name, std::string_view selector);

// `price=.price::text`, as typed. The column counts from its beginning.
std::expected<FieldRule, SelectorError> parse_typed_field(std::string_view text);

}  // namespace weft::extract
