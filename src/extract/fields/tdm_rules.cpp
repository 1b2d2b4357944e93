#include "extract/fields/tdm_rules.h"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <utility>

#include "base/bytes.h"
#include "extract/fields/json_depth.h"
#include "web/robots/robots_pattern.h"

namespace weft::extract {
namespace {

using TdmJson = nlohmann::json;

// The standard has numbers; publishers write strings and true, too.
std::string scalar_text(const TdmJson& object, const char* key) {
    const auto found = object.find(key);
    if (found == object.end()) return {};
    if (found->is_string()) return std::string(trim(found->get_ref<const std::string&>()));
    if (found->is_boolean()) return found->get<bool>() ? "1" : "0";
    return found->is_number_integer() ? found->dump() : std::string();
}

// In most of the files in use the location is a path, in some a whole URL.
std::string_view path_of(std::string_view location) {
    const std::size_t scheme = location.find("://");
    if (scheme == location.npos) return location;
    const std::size_t path = location.find('/', scheme + 3);
    return path == location.npos ? "/" : location.substr(path);
}

}  // namespace

TdmRules TdmRules::parse(std::string_view json) {
    TdmRules out;
    if (json.starts_with("\xEF\xBB\xBF")) json.remove_prefix(3);
    if (json.size() > kTdmBytesMax || is_json_deeper(json, kTdmDepthMax)) return out;
    const TdmJson parsed = TdmJson::parse(json, nullptr, false);
    const auto add = [&](const TdmJson& object) {
        if (!object.is_object() || out.rules_.size() >= kTdmRulesMax) return;
        const std::string location = scalar_text(object, "location");
        TdmRule rule{.pattern = web::normalize_pattern(path_of(location)).text,
                     .reservation = scalar_text(object, "tdm-reservation"),
                     .policy = scalar_text(object, "tdm-policy")};
        if (location.empty() || rule.reservation.empty()) return;
        out.rules_.push_back(std::move(rule));
    };
    if (parsed.is_object()) add(parsed);
    if (parsed.is_array()) std::ranges::for_each(parsed, add);
    return out;
}

const TdmRule* TdmRules::find(std::string_view path_and_query) const {
    std::string buffer;
    const std::string_view path = web::normalize_path(path_and_query, buffer);
    const auto found = std::ranges::find_if(
        rules_, [&](const TdmRule& rule) { return web::matches(rule.pattern, path); });
    return found == rules_.end() ? nullptr : &*found;
}

std::size_t TdmRules::memory_bytes() const {
    std::size_t bytes = rules_.capacity() * sizeof(TdmRule);
    for (const TdmRule& rule : rules_)
        bytes += rule.pattern.capacity() + rule.reservation.capacity() + rule.policy.capacity();
    return bytes;
}

}  // namespace weft::extract
