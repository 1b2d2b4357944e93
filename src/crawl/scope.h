#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "crawl/config.h"
#include "web/url.h"

namespace weft::crawl {

// Why a URL is not wanted: the names that reports and `explain` use.
enum class Refusal {
    scheme,        // Not http or https.
    other_host,    // Outside the seeds' hosts.
    other_port,    // The host, but neither a default port nor the seed's.
    depth,         // Too many steps from a seed.
    path_depth,    // More segments than a person would make: a trap.
    path_repeats,  // A segment comes again and again: a trap.
    query_size,    // More parameters than a person would make: a trap.
    too_long,      // The URL itself.
};

std::string_view name(Refusal refusal);

// Do we want it? Asked for every link, redirect and seed, before anything is fetched.
//
// A host is in scope with or without a leading "www.", on the default ports and on the seed's.
// IP addresses match only themselves.
class Scope {
public:
    explicit Scope(const Config& config);

    // Nothing if the URL is wanted.
    std::optional<Refusal> refuses(const web::Url& url, std::uint32_t depth) const;

private:
    std::optional<Refusal> refuses_host(const web::Url& url) const;

    // The ports of each seed's host (without "www.").
    std::unordered_map<std::string, std::vector<std::uint16_t>> places_;
    std::optional<std::uint32_t> depth_max_;
};

}  // namespace weft::crawl
