#include "http/h2/h2_hosts.h"

#include <algorithm>

namespace weft::http {

namespace {
// A sweep looks at all hosts, so it is not done for every connection that is opened.
constexpr Duration kSweepInterval = 1s;
}  // namespace

H2Hosts::Host& H2Hosts::host_of(std::string_view key) {
    std::unique_ptr<Host>& host = hosts_[std::string(key)];
    if (!host) host = std::make_unique<Host>();
    return *host;
}

H2Shared* H2Hosts::find(std::string_view key) {
    const auto found = hosts_.find(key);
    if (found == hosts_.end() || !found->second->shared) return nullptr;
    std::unique_ptr<H2Shared>& shared = found->second->shared;
    if (shared->connection.is_usable()) return shared.get();
    draining_.push_back(std::move(shared));  // After a GOAWAY its exchanges may still finish.
    return nullptr;
}

H2Shared& H2Hosts::add(std::string_view key, std::unique_ptr<H2Shared> shared) {
    Host& host = host_of(key);
    // The old connection may still have exchanges: destroying it would make them fail.
    if (host.shared) draining_.push_back(std::move(host.shared));
    host.shared = std::move(shared);
    host.is_http1 = false;
    return *host.shared;
}

aio::Lock& H2Hosts::opening(std::string_view key) {
    return host_of(key).opening;
}

void H2Hosts::note_http1(std::string_view key) {
    host_of(key).is_http1 = true;
}

bool H2Hosts::speaks_http1(std::string_view key) const {
    const auto found = hosts_.find(key);
    return found != hosts_.end() && found->second->is_http1;
}

void H2Hosts::make_way(const Pool::Turn& turn) {
    const auto found = hosts_.find(turn.key());
    if (found == hosts_.end() || !found->second->shared) return;
    std::unique_ptr<H2Shared>& shared = found->second->shared;
    if (shared->connection.exchange_count() > 0) return;
    if (pool_.is_wanted_elsewhere(turn, shared->room)) shared.reset();
}

void H2Hosts::sweep(TimePoint now, bool makes_room) {
    if (!makes_room && now - swept_at_ < kSweepInterval) return;
    swept_at_ = now;
    std::erase_if(draining_, [](const std::unique_ptr<H2Shared>& shared) {
        return shared->connection.exchange_count() == 0;
    });
    Host* longest = nullptr;
    for (const auto& [key, host] : hosts_) {
        if (!host->shared || host->shared->connection.exchange_count() > 0) continue;
        const TimePoint idle_since = host->shared->connection.idle_since();
        if (now - idle_since >= idle_time_max_ || !host->shared->connection.is_usable()) {
            host->shared.reset();
        } else if (!longest || idle_since < longest->shared->connection.idle_since()) {
            longest = host.get();
        }
    }
    if (makes_room && longest) longest->shared.reset();
    if (hosts_.size() <= kHostCountMax) return;
    // An entry whose lock is held must stay: a task refers to the lock.
    std::erase_if(hosts_, [](const auto& entry) {
        return !entry.second->shared && !entry.second->opening.locked();
    });
}

}  // namespace weft::http
