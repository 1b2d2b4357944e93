#pragma once

#include <string_view>

namespace weft::http {

// The reason phrase of a status: "Not Found". Empty for a status that is not in our list.
std::string_view reason_of(int status);

}  // namespace weft::http
