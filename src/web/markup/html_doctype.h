#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace weft::web {

// `<!DOCTYPE html PUBLIC "..." "...">`; what is not there at all differs from what is empty.
struct HtmlDoctype {
    std::optional<std::string> name;  // Lower case.
    std::optional<std::string> public_id;
    std::optional<std::string> system_id;
    bool forces_quirks = false;
};

// Reads what stands between `<!doctype` and '>'. Without the '>' (`is_complete` false: the document
// ended) the doctype forces quirks mode. Any input gives a doctype.
HtmlDoctype parse_doctype(std::string_view text, bool is_complete);

}  // namespace weft::web
