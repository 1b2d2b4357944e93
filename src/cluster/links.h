#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <vector>

#include "cluster/calls.h"
#include "frontier/frontier.h"

namespace weft::cluster {

// What all workers of a crawl must agree on to find the shard of a URL.
struct LinkRules {
    std::uint64_t seed = 0;
    std::function<std::string(std::string_view host)> domain_of;  // The host has no port.
    std::uint64_t host_max = 0;                                   // See LinkBatch.
    std::uint64_t domain_max = 0;

    std::string domain(std::string_view host_and_port) const;
    std::uint16_t shard(std::string_view host_and_port) const;
    std::uint64_t fingerprint(std::string_view key) const;
};

// Links of one shard, in calls of which each is within the bounds of one.
using LinkCalls = std::vector<LinkBatch>;

// Sorts links by shard, and within a shard by host and class. `is_known` leaves out what need not
// be sent. A link without a referrer gets `page` as its own.
using IsKnown = std::function<bool(std::uint16_t shard, std::uint64_t fingerprint)>;
std::map<std::uint16_t, LinkCalls> sort_links(std::vector<frontier::Candidate> links,
                                              std::string_view page, const LinkRules& rules,
                                              const IsKnown& is_known);

// Calls `take` with each link and what Redis says about it, in order.
void for_each_verdict(const LinkBatch& batch, const std::vector<Verdict>& verdicts,
                      const std::function<void(const Link&, Verdict)>& take);

}  // namespace weft::cluster
