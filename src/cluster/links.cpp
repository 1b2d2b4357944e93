#include "cluster/links.h"

#include <algorithm>
#include <utility>

#include "base/hash.h"
#include "cluster/entry.h"
#include "cluster/limits.h"
#include "cluster/shard.h"

namespace weft::cluster {

namespace {

// "a.test:8080" -> "a.test". An IPv6 address without a port ends in ']'.
std::string_view host_alone(std::string_view host) {
    const std::size_t colon = host.rfind(':');
    const bool has_port = colon != std::string_view::npos && host.back() != ']';
    return has_port ? host.substr(0, colon) : host;
}

std::size_t link_count(const LinkBatch& batch) {
    std::size_t count = 0;
    for (const LinkGroup& group : batch.groups) count += group.links.size();
    return count;
}

// The group for a link in the last call, or a new one if that is full.
LinkGroup& group_for(LinkCalls& calls, const frontier::Candidate& link, const LinkRules& rules) {
    const std::uint8_t class_number = class_of(link.priority);
    if (!calls.empty() && link_count(calls.back()) < kUrlsPerCallMax) {
        std::vector<LinkGroup>& groups = calls.back().groups;
        const auto found = std::ranges::find_if(groups, [&](const LinkGroup& group) {
            return group.host == link.host && group.class_number == class_number;
        });
        if (found != groups.end()) return *found;
    }
    const bool is_full = calls.empty() || link_count(calls.back()) >= kUrlsPerCallMax ||
                         calls.back().groups.size() >= kHostsPerCallMax;
    if (is_full) {
        calls.push_back({.host_max = rules.host_max, .domain_max = rules.domain_max, .groups = {}});
    }
    calls.back().groups.push_back({.host = link.host,
                                   .domain = rules.domain(link.host),
                                   .class_number = class_number,
                                   .links = {}});
    return calls.back().groups.back();
}

}  // namespace

std::string LinkRules::domain(std::string_view host_and_port) const {
    return domain_of(host_alone(host_and_port));
}

std::uint16_t LinkRules::shard(std::string_view host_and_port) const {
    return shard_of(domain(host_and_port), seed);
}

std::uint64_t LinkRules::fingerprint(std::string_view key) const {
    return hash64(key, seed);
}

std::map<std::uint16_t, LinkCalls> sort_links(std::vector<frontier::Candidate> links,
                                              std::string_view page, const LinkRules& rules,
                                              const IsKnown& is_known) {
    std::map<std::uint16_t, LinkCalls> sorted;
    std::map<std::string, std::uint16_t, std::less<>> shards;  // Most links share few hosts.
    for (frontier::Candidate& link : links) {
        const auto [entry, is_new] = shards.try_emplace(link.host);
        if (is_new) entry->second = rules.shard(link.host);
        const std::uint16_t shard = entry->second;
        const std::uint64_t fingerprint = rules.fingerprint(link.key);
        if (is_known(shard, fingerprint)) continue;
        if (link.referrer.empty()) link.referrer = page;
        LinkGroup& group = group_for(sorted[shard], link, rules);
        group.links.push_back({fingerprint, encode_entry(link, 1)});
    }
    return sorted;
}

void for_each_verdict(const LinkBatch& batch, const std::vector<Verdict>& verdicts,
                      const std::function<void(const Link&, Verdict)>& take) {
    std::size_t i = 0;
    for (const LinkGroup& group : batch.groups) {
        for (const Link& link : group.links) {
            if (i < verdicts.size()) take(link, verdicts[i]);
            ++i;
        }
    }
}

}  // namespace weft::cluster
