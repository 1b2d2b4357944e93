#include "extract/fields/language.h"

#include <cld2/public/compact_lang_det.h>

namespace weft::extract {

std::string detect_language(std::string_view text) {
    text = text.substr(0, kLanguageBytesMax);
    // Half a character at the end is no UTF-8.
    while (!text.empty() && (static_cast<unsigned char>(text.back()) & 0x80) != 0)
        text.remove_suffix(1);
    bool is_reliable = false;
    const CLD2::Language language = CLD2::DetectLanguage(text.data(), static_cast<int>(text.size()),
                                                         /*is_plain_text=*/true, &is_reliable);
    if (!is_reliable || language == CLD2::UNKNOWN_LANGUAGE) return {};
    return CLD2::LanguageCode(language);
}

}  // namespace weft::extract
