#pragma once

#include <string_view>

namespace weft::http {

// "Not Found"; empty for a status without a common name.
std::string_view reason_of(int status);

}  // namespace weft::http
