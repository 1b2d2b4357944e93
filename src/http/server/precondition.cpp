#include "http/server/precondition.h"

#include <algorithm>
#include <string_view>

#include "base/bytes.h"

namespace weft::http {

namespace {

// For the weak comparison (RFC 9110, 8.8.3.2).
std::string_view opaque(std::string_view etag) {
    return etag.starts_with("W/") ? etag.substr(2) : etag;
}

bool equals_strongly(std::string_view a, std::string_view b) {
    return a == b && a.starts_with('"');
}

// Whether `matches` is true for any entity tag of a list. Tags are found by their quotes, because
// they may contain commas.
template <class Matches>
bool any_etag(std::string_view list, Matches matches) {
    while (!list.empty()) {
        list = list.substr(std::min(list.find_first_not_of(", \t"), list.size()));
        const std::size_t quote = list.find('"');
        if (quote == std::string_view::npos) return false;
        const std::size_t end = list.find('"', quote + 1);
        if (end == std::string_view::npos) return false;
        if (matches(list.substr(0, end + 1))) return true;
        list.remove_prefix(end + 1);
    }
    return false;
}

// Whether the resource was last modified at the date in `field` or before. Nothing if the field is
// missing or not a date: such a condition is ignored (RFC 9110, 13.1.3).
std::optional<bool> is_unchanged_since(const ServerRequest& request, std::string_view field,
                                       const Validators& validators, WallTime now) {
    const auto text = request.headers.get(field);
    if (!text || !validators.modified) return std::nullopt;
    const auto date = web::parse_http_date(*text, now);
    if (!date) return std::nullopt;
    return *validators.modified <= *date;
}

}  // namespace

Precondition judge_preconditions(const ServerRequest& request, const Validators& validators,
                                 WallTime now) {
    const Headers& headers = request.headers;
    // The dates count only if the corresponding entity tags are not there.
    if (headers.contains("If-Match")) {
        const std::string list = headers.joined("If-Match");
        const bool found = trim(list) == "*" || any_etag(list, [&](std::string_view etag) {
                               return equals_strongly(etag, validators.etag);
                           });
        if (!found) return Precondition::fails;
    } else if (is_unchanged_since(request, "If-Unmodified-Since", validators, now) == false) {
        return Precondition::fails;
    }

    const bool is_read = request.method == "GET" || request.method == "HEAD";
    if (headers.contains("If-None-Match")) {
        const std::string list = headers.joined("If-None-Match");
        const bool found = trim(list) == "*" || any_etag(list, [&](std::string_view etag) {
                               return opaque(etag) == opaque(validators.etag);
                           });
        if (found) return is_read ? Precondition::not_modified : Precondition::fails;
    } else if (is_read &&
               is_unchanged_since(request, "If-Modified-Since", validators, now).value_or(false)) {
        return Precondition::not_modified;
    }
    return Precondition::holds;
}

bool allows_range(const ServerRequest& request, const Validators& validators, WallTime now) {
    const auto condition = request.headers.get("If-Range");
    if (!condition) return true;
    const std::string_view text = trim(*condition);
    if (text.contains('"')) return equals_strongly(text, validators.etag);
    const auto date = web::parse_http_date(text, now);
    // If-Range needs an exact match (RFC 9110, 13.1.5).
    return date && validators.modified == *date;
}

}  // namespace weft::http
