#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace weft::cli {

// JSON text with a line end, on several lines or on one. It may contain titles and URLs from
// outside. So bytes that are not UTF-8 become U+FFFD, and invisible characters (base/hidden.h) are
// written as \uXXXX: the text cannot control a terminal (H102). All JSON trees become text here;
// tools/tidy checks it.
enum class JsonLayout { lines, one_line };
std::string to_json_text(const nlohmann::ordered_json& value, JsonLayout layout);

}  // namespace weft::cli
