#include "extract/text/link_target.h"

#include <algorithm>

#include "base/bytes.h"

namespace weft::extract {
namespace {

constexpr std::string_view kForbidden[] = {"javascript:", "vbscript:", "data:"};

// As the URL parser does: control characters and spaces before a URL do not count, nor do line ends
// and tabs in it.
bool is_forbidden(std::string_view reference) {
    std::string scheme;
    for (const char c : reference) {
        if (scheme.empty() && static_cast<unsigned char>(c) <= ' ') continue;
        if (c == '\t' || c == '\n' || c == '\r') continue;
        scheme += to_lower(c);
        if (c == ':' || scheme.size() > 11) break;
    }
    return std::ranges::find(kForbidden, scheme) != std::end(kForbidden);
}

}  // namespace

std::optional<std::string> link_target(std::string_view reference, const web::Url* base) {
    if (is_forbidden(reference)) return std::nullopt;
    if (!base) return std::string(trim(reference));
    const auto url = base->resolve(reference, web::kBoundedUrl);
    if (!url || is_forbidden(url->href())) return std::nullopt;
    return url->href();
}

}  // namespace weft::extract
