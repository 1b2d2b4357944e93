#include "web/fields/validator.h"

#include <algorithm>

#include "base/bytes.h"
#include "base/limits.h"
#include "web/fields/date.h"

namespace weft::web {
namespace {

// Whether the value can be sent in a header field. A line end would start a new field (H39).
bool is_header_text(std::string_view value) {
    return std::ranges::all_of(value, [](char c) {
        const auto byte = static_cast<unsigned char>(c);
        return byte >= 0x20 && byte != 0x7F;
    });
}

bool is_usable(std::string_view value) {
    return !value.empty() && value.size() <= limits::kValidatorBytesMax && is_header_text(value);
}

}  // namespace

std::optional<std::string> usable_etag(std::string_view value) {
    value = trim(value);
    if (!is_usable(value)) return std::nullopt;
    return std::string(value);
}

std::optional<std::string> usable_last_modified(std::string_view value) {
    value = trim(value);
    if (!is_usable(value) || !parse_http_date(value, WallTime())) return std::nullopt;
    return std::string(value);
}

}  // namespace weft::web
