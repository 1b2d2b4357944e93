#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

namespace weft::extract {

inline constexpr std::size_t kLanguageBytesMax = 4096;

// The language of a text in UTF-8, as CLD2 sees it in the first kLanguageBytesMax bytes: "en",
// "de", "zh-Hant". Empty if the detector is not sure.
std::string detect_language(std::string_view text);

// The languages of a text, at most three, that with the most text first, as ISO 639-3 codes: "eng".
// Empty if the detector is not sure.
std::vector<std::string> detect_languages(std::string_view text);

}  // namespace weft::extract
