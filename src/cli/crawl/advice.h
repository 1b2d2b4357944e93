#pragma once

#include <string_view>

#include "http/client/failure.h"

namespace weft::cli {

// What to do about a fetch that failed so; empty where nobody can tell.
std::string_view advice_for(http::Failure failure);

// The same by what page logs call it: a failure's name, or the status of an answer that keeps out.
std::string_view advice_for(std::string_view name);

}  // namespace weft::cli
