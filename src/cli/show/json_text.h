#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

namespace weft::cli {

// JSON for people and programs, with a line end behind it: on several lines, or on one. Titles and
// URLs from outside are in it, so what is not UTF-8 becomes U+FFFD, and characters that are not
// seen (base/hidden.h) are spelled \uXXXX: on a terminal it does nothing but be read (H102). The
// only way that a tree of JSON becomes text here; tools/tidy sees to it.
enum class JsonLayout { lines, one_line };
std::string to_json_text(const nlohmann::ordered_json& value, JsonLayout layout);

}  // namespace weft::cli
