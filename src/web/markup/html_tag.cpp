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

}  // namespace weft::web
