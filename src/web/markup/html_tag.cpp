#include "web/markup/html_tag.h"

#include "base/bytes.h"

namespace weft::web {

std::string HtmlTag::name() const {
    std::string lower;
    lower.reserve(raw_name_.size());
    for (const char c : raw_name_) {
        if (c == '\0') {
            lower += "\xEF\xBF\xBD";
        } else {
            lower += to_lower(c);
        }
    }
    return lower;
}

std::optional<std::string_view> HtmlTag::find(std::string_view lower_name) const {
    for (std::size_t i = 0; i < spans_.size(); ++i) {
        const HtmlAttribute candidate = attribute(i);
        if (is_same_name(candidate.name, lower_name)) return candidate.value;
    }
    return std::nullopt;
}

// `lower` is in lower case already, so only one side is converted.
bool is_same_name(std::string_view raw, std::string_view lower) {
    if (raw.size() != lower.size()) return false;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        if (to_lower(raw[i]) != lower[i]) return false;
    }
    return true;
}

}  // namespace weft::web
