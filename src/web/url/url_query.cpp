#include "web/url/url_query.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "web/url/percent.h"

namespace weft::web::detail {
namespace {

// "Percent-encode after encoding" of the URL standard. A character that the encoding lacks becomes
// the percent-encoded form of "&#NNN;", as in a form that a browser sends.
std::string encode_legacy(std::string_view text, PercentSet set, const QueryEncoder& encoder) {
    const EncodedQuery encoded = encoder.encode(text);
    const std::string_view bytes = encoded.bytes;
    std::string query;
    std::size_t done = 0;
    for (const EncodedQuery::Missing& missing : encoded.missing) {
        const std::size_t offset = std::clamp(missing.offset, done, bytes.size());
        append_percent_encoded(query, bytes.substr(done, offset - done), set);
        fmt::format_to(std::back_inserter(query), "%26%23{}%3B",
                       static_cast<std::uint32_t>(missing.code_point));
        done = offset;
    }
    append_percent_encoded(query, bytes.substr(done), set);
    return query;
}

}  // namespace

std::string encode_query(std::string_view text, Scheme scheme, const QueryEncoder* encoder) {
    const PercentSet set = is_special(scheme) ? PercentSet::special_query : PercentSet::query;
    // "Query state" of the standard: URLs that are not special, ws: and wss: are always UTF-8.
    const bool is_web_socket = scheme == Scheme::ws || scheme == Scheme::wss;
    if (encoder != nullptr && is_special(scheme) && !is_web_socket) {
        return encode_legacy(text, set, *encoder);
    }
    std::string query;
    append_percent_encoded(query, text, set);
    return query;
}

}  // namespace weft::web::detail
