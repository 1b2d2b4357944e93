#include "crawl/network_watch.h"

#include <algorithm>

namespace weft::crawl {
namespace {

constexpr std::size_t kFailuresPerHost = 5;
constexpr std::size_t kHostsMax = 4;
constexpr Duration kSilenceMin = 10s;

// One of those that a lost network has.
bool finds_no_way(http::Failure failure) {
    using http::Failure;
    return failure == Failure::connect_unreachable || failure == Failure::connect_timeout ||
           failure == Failure::dns_failed || failure == Failure::dns_timeout;
}

// One that a machine at the other end has caused.
bool comes_from_somebody(http::Failure failure) {
    using http::Failure;
    switch (failure) {
        case Failure::connect_refused:
        case Failure::proxy_failed:
        case Failure::proxy_auth:
        case Failure::tls_certificate:
        case Failure::tls_not_tls:
        case Failure::tls_failed:
        case Failure::reset:
        case Failure::closed_early:
        case Failure::truncated:
        case Failure::not_http:
        case Failure::bad_response:
        case Failure::bad_encoding:
        case Failure::bad_redirect: return true;
        default: return false;
    }
}

}  // namespace

void NetworkWatch::on_answer(std::string_view peer) {
    last_peer_ = peer;
    forget_failures();
}

void NetworkWatch::forget_failures() {
    is_lost_ = false;
    failure_count_ = 0;
    timeout_count_ = 0;
    hosts_.clear();
}

bool NetworkWatch::has_route(const aio::Network& network) const {
    std::string_view host = last_peer_;
    host = host.substr(0, host.rfind(':'));
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    const auto address = aio::IpAddress::parse(host);
    return !address || network.has_route(*address);
}

bool NetworkWatch::on_failure(http::Failure failure, std::uint64_t host_key,
                              const aio::Network& network, TimePoint now) {
    if (last_peer_.empty()) return false;
    if (comes_from_somebody(failure)) {
        forget_failures();
        return false;
    }
    if (!has_route(network)) return is_lost_ = true;
    if (!finds_no_way(failure)) return false;
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
