#include "crawl/network_watch.h"

#include <algorithm>

namespace weft::crawl {
namespace {

constexpr std::size_t kFailuresPerHost = 5;
constexpr std::size_t kHostsMax = 4;
constexpr Duration kSilenceMin = 10s;

}  // namespace

void NetworkWatch::on_answer() {
    *this = {};
    was_there_ = true;
}

bool NetworkWatch::counts(http::Failure failure) {
    using http::Failure;
    return failure == Failure::connect_unreachable || failure == Failure::connect_timeout ||
           failure == Failure::dns_failed || failure == Failure::dns_timeout;
}

bool NetworkWatch::on_failure(http::Failure failure, std::uint64_t host_key, TimePoint now) {
    if (!was_there_) return false;
    if (failure_count_ == 0) first_ = now;
    ++failure_count_;
    if (failure == http::Failure::connect_timeout) ++timeout_count_;
    if (hosts_.size() < kHostsMax && std::ranges::find(hosts_, host_key) == hosts_.end()) {
        hosts_.push_back(host_key);
    }
    if (failure_count_ < kFailuresPerHost * hosts_.size()) return is_lost_;
    const bool is_silent = hosts_.size() == kHostsMax && now - first_ >= kSilenceMin;
    is_lost_ = is_lost_ || timeout_count_ == 0 || is_silent;
    return is_lost_;
}

}  // namespace weft::crawl
