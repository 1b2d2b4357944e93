#include <fmt/format.h>

#include "base/escape.h"
#include "demo/server/truth.h"

namespace weft::demo {

namespace {

std::string in_quotes(std::string_view text) {
    return fmt::format("\"{}\"", escape_for_json(text));
}

std::string list_of(const std::vector<std::string>& texts) {
    std::string out = "[";
    for (const std::string& text : texts) {
        if (out.size() > 1) out += ", ";
        out += in_quotes(text);
    }
    return out + "]";
}

// Fields without a value are left out.
std::string to_json(const TrueUrl& url) {
    std::string out = fmt::format(
        "{{\"url\": {}, \"reach\": \"{}\", \"depth\": {}, \"status\": {}, \"type\": {}, "
        "\"size_bytes\": {}",
        in_quotes(url.url), name(url.reach), url.depth, url.status, in_quotes(url.type),
        url.size_bytes);
    if (!url.redirect.empty()) {
        out += fmt::format(
            ", \"redirect\": {}, \"final_url\": {}, \"final_status\": {}", in_quotes(url.redirect),
            url.final_url.empty() ? "null" : in_quotes(url.final_url), url.final_status);
    }
    if (!url.behaviour.empty()) out += fmt::format(", \"behaviour\": {}", in_quotes(url.behaviour));
    if (url.robots_disallowed) out += ", \"robots_disallowed\": true";
    if (!url.linked_from.empty()) {
        out += fmt::format(", \"linked_from\": {}", list_of(url.linked_from));
    }
    return out + "}";
}

std::string to_json(const TrueHost& host) {
    std::string out = fmt::format(
        "{{\"host\": {}, \"home\": {}, \"character\": {},\n\"robots_status\": {}, "
        "\"crawl_delay_s\": {}, \"endless\": {}, \"never\": {},\n\"external\": {},\n\"urls\": [",
        in_quotes(host.host), in_quotes(host.home), in_quotes(host.character), host.robots_status,
        host.crawl_delay_s, list_of(host.endless), list_of(host.never), list_of(host.external));
    for (bool is_first = true; const TrueUrl& url : host.urls) {
        out += is_first ? "\n" : ",\n";
        out += to_json(url);
        is_first = false;
    }
    return out + "\n]}";
}

}  // namespace

std::string to_json(const Truth& truth) {
    std::string out = "{\"hosts\": [";
    for (bool is_first = true; const TrueHost& host : truth.hosts) {
        out += is_first ? "\n" : ",\n";
        out += to_json(host);
        is_first = false;
    }
    return out + "\n]}\n";
}

}  // namespace weft::demo
