#pragma once

#include <string_view>

namespace weft::http {

// The Content-Type for a file, by its name's extension in any case. Text is assumed to be UTF-8.
// For an unknown extension: application/octet-stream. The view is valid forever.
std::string_view content_type_of(std::string_view file_name);

}  // namespace weft::http
