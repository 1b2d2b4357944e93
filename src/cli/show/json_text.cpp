#include "cli/show/json_text.h"

#include <nlohmann/json.hpp>

#include "base/hidden.h"

namespace weft::cli {

std::string to_json_text(const nlohmann::ordered_json& value, JsonLayout layout) {
    const int indent = layout == JsonLayout::lines ? 2 : -1;
    return with_json_escapes(  // tidy: allow banned-call: this is the one place
               value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace)) +
           "\n";
}

}  // namespace weft::cli
