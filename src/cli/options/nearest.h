#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace weft::cli {

// The word that was probably meant; empty if no word is near.
std::string nearest(std::string_view word, const std::vector<std::string>& words);

// "; did you mean 'depth'?", or nothing.
std::string hint_at(std::string_view word, const std::vector<std::string>& words);

}  // namespace weft::cli
