#pragma once

#include <string_view>

#include "http/client/failure.h"

namespace weft::cli {

// What the user can do about a fetch that failed in this way; empty if there is no advice.
std::string_view advice_for(http::Failure failure);

// The same by the name in page logs: the name of a failure, or the status of a response that denies
// access.
std::string_view advice_for(std::string_view name);

}  // namespace weft::cli
