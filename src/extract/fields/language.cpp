#include "extract/fields/language.h"

#include <algorithm>

#include <cld2/public/compact_lang_det.h>

#include "base/escape.h"
#include "extract/fields/language_codes.h"

namespace weft::extract {

std::string detect_language(std::string_view text) {
    text = utf8_prefix(text, kLanguageBytesMax);
    bool is_reliable = false;
    const CLD2::Language language = CLD2::DetectLanguage(text.data(), static_cast<int>(text.size()),
                                                         /*is_plain_text=*/true, &is_reliable);
    if (!is_reliable || language == CLD2::UNKNOWN_LANGUAGE) return {};
    return CLD2::LanguageCode(language);
}

std::vector<std::string> detect_languages(std::string_view text) {
    text = utf8_prefix(text, kLanguageBytesMax);
    CLD2::Language found[3];
    int percents[3];
    int text_bytes = 0;
    bool is_reliable = false;
    CLD2::DetectLanguageSummary(text.data(), static_cast<int>(text.size()), /*is_plain_text=*/true,
                                found, percents, &text_bytes, &is_reliable);
    std::vector<std::string> codes;
    if (!is_reliable) return codes;
    for (const CLD2::Language language : found) {
        if (language == CLD2::UNKNOWN_LANGUAGE) continue;
        const std::string_view code = iso_639_3(CLD2::LanguageCode(language));
        // Traditional and simplified Chinese have one code.
        if (!code.empty() && std::ranges::find(codes, code) == codes.end())
            codes.emplace_back(code);
    }
    return codes;
}

}  // namespace weft::extract
