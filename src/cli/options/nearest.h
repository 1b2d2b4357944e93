#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::cli {

// The word that was most likely meant; empty if none is near.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// "; did you mean 'depth'?", or nothing.
std::string hint_at(std::string_view word, const std::vector<std::string>& words);

}  // namespace weft::cli
