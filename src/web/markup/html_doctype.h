#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::web {

// `<!DOCTYPE html PUBLIC "..." "...">`. A missing part is not the same as an empty one.
struct HtmlDoctype {
    std::optional<std::string> name;  // Lower case.
    std::optional<std::string> public_id;
    std::optional<std::string> system_id;
    bool forces_quirks = false;
};

// Parses the text between `<!doctype` and '>'. If the document ended before the '>' (`is_complete`
// is false), the doctype forces quirks mode. Any text gives a doctype.
HtmlDoctype parse_doctype(std::string_view text, bool is_complete);

}  // namespace weft::web
