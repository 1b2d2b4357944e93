#include "web/url/canonical.h"

#include <algorithm>
#include <functional>
#include <span>
#include <string_view>
#include <vector>

#include "base/bytes.h"
#include "base/scan.h"
#include "web/url/percent.h"

namespace weft::web {
namespace {

constexpr std::string_view kSessionParameters[] = {
    "asp.net_sessionid", "cfid",      "cftoken", "jsessionid", "oscsid",
    "phpsessid",         "sessionid", "sessid",  "session_id", "zenid",
};

constexpr std::string_view kTrackingParameters[] = {
    "_ga",     "_gl",     "_hsenc",      "_hsmi",      "dclid",     "fbclid", "gbraid",
    "gclid",   "gclsrc",  "igshid",      "igsh",       "li_fat_id", "mc_cid", "mc_eid",
    "mkt_tok", "msclkid", "oly_anon_id", "oly_enc_id", "srsltid",   "ttclid", "twclid",
    "vero_id", "wbraid",  "yclid",       "ysclid",
};

constexpr std::string_view kPathSession = ";jsessionid=";
constexpr std::size_t kSessionIdBytesMin = 16;

// Whether adding `byte` to `out` would make a new escape. In "%%41a" the first "%" starts no
// escape; with %41 undone the text would be "%Aa", which does. Such an escape is not undone.
bool completes_escape(std::string_view out, char byte) {
    if (!is_hex_digit(byte)) return false;
    if (out.ends_with('%')) return true;
    return out.size() >= 2 && out[out.size() - 2] == '%' && is_hex_digit(out.back());
}

// Appends `text`. Each escape in it is either undone or written in upper case.
void append_with_plain_escapes(std::string& out, std::string_view text) {
    while (true) {
        const std::size_t percent = std::min(text.find('%'), text.size());
        out.append(text, 0, percent);
        text.remove_prefix(percent);
        if (text.empty()) return;
        if (!starts_with_escape(text)) {
            out += '%';
            text.remove_prefix(1);
            continue;
        }
        const char byte = escaped_byte(text);
        if (is_unreserved(byte) && !completes_escape(out, byte)) {
            out += byte;
        } else {
            append_percent(out, byte);
        }
        text.remove_prefix(3);
    }
}

bool is_one_of(std::string_view name, std::span<const std::string_view> names) {
    return std::ranges::any_of(
        names, [name](std::string_view known) { return equals_ignore_case(name, known); });
}

std::string_view name_of(std::string_view parameter) {
    return parameter.substr(0, parameter.find('='));
}

// The name "sid" has other uses too, so there the value must look like a random token.
bool is_session_id(std::string_view parameter) {
    const std::string_view name = name_of(parameter);
    if (is_one_of(name, kSessionParameters)) return true;
    if (equals_ignore_case(name.substr(0, 12), "aspsessionid")) return true;
    if (!equals_ignore_case(name, "sid")) return false;
    const std::string_view value = parameter.substr(std::min(name.size() + 1, parameter.size()));
    return value.size() >= kSessionIdBytesMin &&
           std::ranges::all_of(value, [](char c) { return is_alnum(c); });
}

bool is_tracking(std::string_view parameter) {
    const std::string_view name = name_of(parameter);
    return equals_ignore_case(name.substr(0, 4), "utm_") || is_one_of(name, kTrackingParameters);
}

// Removes ";jsessionid=..." from each segment. A segment that would become "." or ".." keeps it:
// parsed again, the key would lose that segment.
void drop_path_session(std::string& path) {
    std::string kept;
    std::size_t done = 0;
    for (std::size_t at = path.find(';'); at != std::string::npos; at = path.find(';', at)) {
        const std::string_view here = std::string_view(path).substr(at);
        const std::size_t end = std::min(path.find_first_of(";/", at + 1), path.size());
        const std::string_view before = std::string_view(path).substr(0, at);
        const bool is_dots = before.ends_with("/.") || before.ends_with("/..");
        if (equals_ignore_case(here.substr(0, kPathSession.size()), kPathSession) && !is_dots) {
            kept.append(path, done, at - done);
            done = end;
        }
        at = end;
    }
    kept.append(path, done);
    path = std::move(kept);
}

std::vector<std::string_view> split_parameters(std::string_view query) {
    std::vector<std::string_view> parameters;
    while (true) {
        const std::size_t end = std::min(query.find('&'), query.size());
        parameters.push_back(query.substr(0, end));
        if (end == query.size()) return parameters;
        query.remove_prefix(end + 1);
    }
}

// Appends "?" and the part of `query` that the options leave. Appends nothing if nothing is left.
void append_query(std::string& out, std::string_view query, const CanonicalOptions& options) {
    std::vector<std::string_view> parameters = split_parameters(query);
    std::erase_if(parameters, [&options](std::string_view parameter) {
        return (options.drop_session_ids && is_session_id(parameter)) ||
               (options.drop_tracking && is_tracking(parameter));
    });
    if (options.sort_query) {
        // Equal names keep their order: the views point into one string, so addresses give it.
        std::ranges::sort(parameters, [](std::string_view a, std::string_view b) {
            const int order = name_of(a).compare(name_of(b));
            return order != 0 ? order < 0 : std::less<>()(a.data(), b.data());
        });
    }
    const std::size_t start = out.size();
    for (const std::string_view parameter : parameters) {
        out += out.size() == start ? '?' : '&';
        out += parameter;
    }
    if (out.size() == start + 1) out.pop_back();  // Only one empty parameter: "?" alone.
}

}  // namespace

std::string canonical_key(const Url& url, const CanonicalOptions& options) {
    const std::string_view target = url.path_and_query();
    const std::string_view href(url.href().data(), target.end());
    // Fast path for most URLs: without these bytes there is nothing to change but the fragment.
    const char* const end = target.data() + target.size();
    const bool is_plain = find_any<'%', '?', ';'>(target.data(), end) == end;
    if (is_plain || !url.is_http()) return std::string(href);
    // Second fast path: without "%" and without options only a "?" at the end can go.
    const bool has_options =
        options.drop_session_ids || options.drop_tracking || options.sort_query;
    if (!has_options && !target.contains('%')) {
        return std::string(
            target.ends_with('?') && url.search().empty() ? href.substr(0, href.size() - 1) : href);
    }

    std::string key(href.substr(0, href.size() - target.size()));
    std::string path;
    append_with_plain_escapes(path, url.pathname());
    if (options.drop_session_ids) drop_path_session(path);
    key += path;
    std::string query;
    append_with_plain_escapes(query, url.search());
    if (!query.empty()) append_query(key, std::string_view(query).substr(1), options);
    return key;
}

}  // namespace weft::web
