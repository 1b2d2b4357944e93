#include "crawl/scope.h"

#include <algorithm>
#include <map>

namespace weft::crawl {

std::string_view name(Refusal refusal) {
    switch (refusal) {
        case Refusal::scheme: return "scheme";
        case Refusal::other_host: return "other_host";
        case Refusal::other_port: return "other_port";
        case Refusal::depth: return "depth";
        case Refusal::path_depth: return "path_depth";
        case Refusal::path_repeats: return "path_repeats";
        case Refusal::query_size: return "query_size";
        case Refusal::too_long: return "too_long";
    }
    std::unreachable();
}

namespace {

constexpr std::size_t kPathDepthMax = 20;
constexpr std::size_t kSegmentRepeatMax = 3;
constexpr std::size_t kQueryParameterMax = 20;

std::string_view without_www(const web::Url& url) {
    std::string_view host = url.hostname();
    if (url.host_kind() == web::HostKind::domain && host.starts_with("www.")) host.remove_prefix(4);
    return host;
}

std::optional<Refusal> is_trap(const web::Url& url) {
    std::map<std::string_view, std::size_t> repeats;
    std::size_t depth = 0;
    std::string_view path = url.pathname();
    while (!path.empty()) {
        path.remove_prefix(1);
        const std::string_view segment = path.substr(0, path.find('/'));
        path.remove_prefix(segment.size());
        if (segment.empty()) continue;
        if (++depth > kPathDepthMax) return Refusal::path_depth;
        if (++repeats[segment] > kSegmentRepeatMax) return Refusal::path_repeats;
    }
    const auto parameters = static_cast<std::size_t>(std::ranges::count(url.search(), '&'));
    if (parameters >= kQueryParameterMax) return Refusal::query_size;
    return std::nullopt;
}

}  // namespace

Scope::Scope(const Config& config) : depth_max_(config.depth_max) {
    for (const web::Url& seed : config.seeds) {
        places_[std::string(without_www(seed))].push_back(seed.effective_port().value());
    }
}

std::optional<Refusal> Scope::refuses(const web::Url& url, std::uint32_t depth) const {
    if (!url.is_http()) return Refusal::scheme;
    if (url.href().size() > limits::kUrlBytesMax) return Refusal::too_long;
    if (const auto refusal = refuses_host(url)) return refusal;
    if (depth_max_ && depth > *depth_max_) return Refusal::depth;
    return is_trap(url);
}

std::optional<Refusal> Scope::refuses_host(const web::Url& url) const {
    const auto place = places_.find(std::string(without_www(url)));
    if (place == places_.end()) return Refusal::other_host;
    const std::vector<std::uint16_t>& ports = place->second;
    if (!url.port() || std::ranges::find(ports, *url.port()) != ports.end()) return std::nullopt;
    return Refusal::other_port;
}

}  // namespace weft::crawl
