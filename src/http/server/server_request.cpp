#include "http/server/server_request.h"

#include "base/bytes.h"

namespace weft::http {

namespace {

// A target in absolute form is split into "host" and "/path?query". In any other form it is all
// path and query.
struct TargetParts {
    std::string_view host;
    std::string_view path_and_query;
};

TargetParts split(std::string_view target) {
    constexpr std::string_view kMark = "://";
    // "/redirect?to=http://example.com" is a path.
    const std::size_t mark = target.starts_with('/') ? std::string_view::npos : target.find(kMark);
    if (mark == std::string_view::npos) return {{}, target};
    const std::string_view rest = target.substr(mark + kMark.size());
    const std::size_t end = std::min(rest.find_first_of("/?"), rest.size());
    return {rest.substr(0, end), rest.substr(end)};
}

}  // namespace

std::string_view ServerRequest::path() const {
    const std::string_view whole = split(target).path_and_query;
    const std::string_view path = whole.substr(0, whole.find('?'));
    return path.empty() ? "/" : path;
}

std::string_view ServerRequest::query() const {
    const std::string_view whole = split(target).path_and_query;
    const std::size_t mark = whole.find('?');
    return mark == std::string_view::npos ? std::string_view() : whole.substr(mark + 1);
}

std::string_view ServerRequest::host() const {
    const std::string_view named = split(target).host;
    return named.empty() ? headers.get("Host").value_or("") : named;
}

}  // namespace weft::http
