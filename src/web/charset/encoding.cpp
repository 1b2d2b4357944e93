#include "web/charset/encoding.h"

#include <algorithm>
#include <array>
#include <functional>

#include "base/bytes.h"
#include "web/charset/encoding_tables.h"

namespace weft::web {

std::optional<Encoding> encoding_for_label(std::string_view label) {
    label = trim(label);
    if (label.size() > detail::kLabelBytesMax) return std::nullopt;
    // On the stack: labels come from every page and header.
    std::array<char, detail::kLabelBytesMax> lower;
    std::ranges::transform(label, lower.begin(), [](char c) { return to_lower(c); });
    const std::string_view key(lower.data(), label.size());
    const auto* found = std::ranges::lower_bound(detail::kLabels, key, std::less<>(),
                                                 [](const detail::Label& l) { return l.text; });
    if (found == std::end(detail::kLabels) || found->text != key) return std::nullopt;
    return found->encoding;
}

std::string_view name(Encoding encoding) {
    return detail::kNames[static_cast<std::size_t>(encoding)];
}

Encoding output_encoding(Encoding encoding) {
    switch (encoding) {
        case Encoding::replacement:
        case Encoding::utf_16be:
        case Encoding::utf_16le: return Encoding::utf_8;
        default: return encoding;
    }
}

}  // namespace weft::web
