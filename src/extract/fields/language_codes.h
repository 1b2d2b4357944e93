#pragma once

#include <string_view>

namespace weft::extract {

// The ISO 639-3 code of a language that CLD2 names: "eng" for "en", "zho" for "zh-Hant". Empty if
// the name is not known.
std::string_view iso_639_3(std::string_view code);

}  // namespace weft::extract
