#pragma once

#include <string_view>

namespace weft::http {

// The Content-Type of a file by the end of its name; text is taken for UTF-8, the unknown for
// bytes.
std::string_view content_type_of(std::string_view file_name);

}  // namespace weft::http
