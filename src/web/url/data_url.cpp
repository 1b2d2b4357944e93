#include "web/url/data_url.h"

#include <utility>

#include "base/bytes.h"
#include "web/url/base64.h"
#include "web/url/percent.h"

namespace weft::web {
namespace {

std::string_view trim_spaces_right(std::string_view text) {
    return text.substr(0, text.find_last_not_of(' ') + 1);
}

// Removes "; base64" from the end of the type. Returns whether it was there.
bool take_base64_mark(std::string_view& type) {
    constexpr std::string_view kMark = "base64";
    if (type.size() < kMark.size()) return false;
    if (!equals_ignore_case(type.substr(type.size() - kMark.size()), kMark)) return false;
    const std::string_view before = trim_spaces_right(type.substr(0, type.size() - kMark.size()));
    if (!before.ends_with(';')) return false;
    type = before.substr(0, before.size() - 1);
    return true;
}

}  // namespace

std::string_view describe(DataUrlError error) {
    switch (error) {
        case DataUrlError::not_data: return "not a data: URL";
        case DataUrlError::no_comma: return "no comma between type and body";
        case DataUrlError::bad_base64: return "the body is not base64";
    }
    std::unreachable();
}

std::expected<DataUrl, DataUrlError> DataUrl::parse(std::string_view url) {
    constexpr std::string_view kScheme = "data:";
    if (!equals_ignore_case(url.substr(0, kScheme.size()), kScheme)) {
        return std::unexpected(DataUrlError::not_data);
    }
    url = url.substr(0, url.find('#'));
    url.remove_prefix(kScheme.size());
    const std::size_t comma = url.find(',');
    if (comma == std::string_view::npos) return std::unexpected(DataUrlError::no_comma);

    DataUrl out;
    std::string_view type = trim(url.substr(0, comma));
    out.body = percent_decode(url.substr(comma + 1));
    if (take_base64_mark(type)) {
        std::optional<std::string> decoded = decode_base64(out.body);
        if (!decoded) return std::unexpected(DataUrlError::bad_base64);
        out.body = std::move(*decoded);
    }
    // Fetch standard, "data: URL processor": ";charset=x" means text/plain with that parameter, and
    // a type that does not parse means text/plain;charset=US-ASCII.
    const bool has_parameters_only = type.starts_with(';');
    const std::string full = (has_parameters_only ? "text/plain" : "") + std::string(type);
    out.mime = MimeType::parse(full).value_or(MimeType{"text", "plain", {{"charset", "US-ASCII"}}});
    return out;
}

}  // namespace weft::web
