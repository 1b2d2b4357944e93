#include "crawl/scope/budgets.h"

namespace weft::crawl {
namespace {

void settle(Account& account, const Cost& cost) {
    --account.begun_count;
    if (cost.is_page) ++account.page_count;
    account.bytes += cost.bytes;
    account.time += cost.time;
}

// Which part of a budget is spent: 0 pages, 1 bytes, 2 time. The enumerators of Refusal are in the
// same order (refusal_at()).
unsigned spent_part(const Budget& budget, const Account& account) {
    if (budget.page_count_max &&
        account.page_count + account.begun_count >= *budget.page_count_max) {
        return 0;
    }
    return budget.bytes_max && account.bytes >= *budget.bytes_max ? 1 : 2;
}

Refusal refusal_at(Refusal first, unsigned part) {
    return static_cast<Refusal>(static_cast<unsigned>(first) + part);
}

}  // namespace

Cost cost_of(const Outcome& outcome) {
    return {.is_page = outcome.ending != Ending::skipped && outcome.ending != Ending::denied,
            .bytes = outcome.new_bytes(),
            .time = outcome.elapsed};
}

Room room_in(const Budget& budget, const Account& account) {
    if (budget.bytes_max && account.bytes >= *budget.bytes_max) return Room::spent;
    if (budget.time_max && account.time >= *budget.time_max) return Room::spent;
    if (!budget.page_count_max) return Room::free;
    if (account.page_count >= *budget.page_count_max) return Room::spent;
    return account.page_count + account.begun_count < *budget.page_count_max ? Room::free
                                                                             : Room::taken;
}

// Forgets accounts without fetches under way, those with the fewest pages first. Most hosts have
// only a few pages, so the first round is usually enough.
void Budgets::make_room(Accounts& accounts) const {
    const std::size_t count_max = kAccountsPerHost * config_.host_count_max;
    for (std::uint64_t few = 2; accounts.size() >= count_max && few != 0; few *= 4) {
        std::erase_if(accounts, [few](const auto& row) {
            return row.second.begun_count == 0 && row.second.page_count <= few;
        });
    }
}

Budgets::Verdict Budgets::begin(std::uint64_t host, std::uint64_t domain) {
    const bool limits_host = is_limited(config_.host_budget);
    const bool limits_domain = is_limited(config_.domain_budget);
    make_room(hosts_);
    make_room(domains_);
    // Both are checked before either is changed: a refused fetch must not count.
    Account* host_account = limits_host ? &hosts_[host] : nullptr;
    Account* domain_account = limits_domain ? &domains_[domain] : nullptr;
    if (host_account) {
        const Room room = room_in(config_.host_budget, *host_account);
        if (room != Room::free) {
            const unsigned part = spent_part(config_.host_budget, *host_account);
            return {room, refusal_at(Refusal::host_pages, part)};
        }
    }
    if (domain_account) {
        const Room room = room_in(config_.domain_budget, *domain_account);
        if (room != Room::free) {
            const unsigned part = spent_part(config_.domain_budget, *domain_account);
            return {room, refusal_at(Refusal::domain_pages, part)};
        }
        ++domain_account->begun_count;
    }
    if (host_account) ++host_account->begun_count;
    return {};
}

void Budgets::end(std::uint64_t host, std::uint64_t domain, const Cost& cost) {
    if (is_limited(config_.host_budget)) settle(hosts_.at(host), cost);
    if (is_limited(config_.domain_budget)) settle(domains_.at(domain), cost);
}

bool Budgets::admits_host(std::uint64_t host, std::uint64_t domain) {
    // A host that is its own domain has no siblings to count.
    if (!config_.hosts_per_domain_max || host == domain) return true;
    if (known_hosts_.contains(host)) return true;
    if (host_counts_.size() >= kKnownPerHost * config_.host_count_max) host_counts_.clear();
    std::uint64_t& count = host_counts_[domain];
    if (count >= *config_.hosts_per_domain_max) return false;
    ++count;
    known_hosts_.insert(host);
    return true;
}

bool Budgets::admits_sitemap(std::uint64_t host) {
    if (sitemap_counts_.size() >= kAccountsPerHost * config_.host_count_max) {
        sitemap_counts_.clear();
    }
    return ++sitemap_counts_[host] <= config_.sitemap_files_per_host_max;
}

}  // namespace weft::crawl
