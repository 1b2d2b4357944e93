#include "crawl/politeness/network_watch.h"

#include <algorithm>
#include <charconv>

#include "aio/loop/loop.h"
#include "aio/net/caching_resolver.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/gather.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kFirstWitnesses = 2;  // These are never replaced.
constexpr std::size_t kSilentMin = 4;       // This many silent hosts are not a coincidence.
constexpr Duration kSignLifetimeMin = 1s;
constexpr Duration kSignLifetimeMax = 10s;
constexpr Duration kQuestionTimeout = 5s;
constexpr Duration kVerdictLifetime = 5s;
constexpr Duration kRecoveryTime = 60s;  // The resolver remembers a failed name for half of that.

// What one question found: a sign of the machine, no route to it, or nothing.
enum class Reply { heard, no_way, silence };

Co<Reply> ask_machine(aio::Endpoint peer, std::optional<aio::IpAddress> local) {
    aio::Network& network = aio::EventLoop::running().network();
    try {
        const auto connection =
            co_await aio::wait_for(network.connect(peer, local), kQuestionTimeout);
        co_return Reply::heard;
    } catch (const aio::TimeoutError&) {
        co_return Reply::silence;
    } catch (const aio::IoError& error) {
        const bool finds_no_way = error.code() == std::errc::host_unreachable ||
                                  error.code() == std::errc::network_unreachable ||
                                  error.code() == std::errc::network_down;
        if (finds_no_way) co_return Reply::no_way;
        if (error.code() == std::errc::timed_out) co_return Reply::silence;
        // A refusal comes from the other machine. A shortage in this process (of file descriptors,
        // say) proves nothing, so it must not count as a loss either.
        co_return Reply::heard;
    }
}

// Resolves past the resolver's cache. "No such name" is an answer too: the servers are there.
Co<Reply> ask_name(std::string name) {
    aio::Resolver& resolver = aio::EventLoop::running().network().resolver();
    try {
        co_await aio::wait_for(aio::resolve_anew(resolver, std::move(name)), kQuestionTimeout);
        co_return Reply::heard;
    } catch (const aio::TimeoutError&) {
        co_return Reply::silence;
    } catch (const aio::ResolveError& error) {
        co_return error.is_temporary() ? Reply::silence : Reply::heard;
    }
}

bool is_heard(const std::vector<Reply>& replies) {
    return std::ranges::find(replies, Reply::heard) != replies.end();
}

}  // namespace

Sign sign_of(http::Failure failure) {
    using http::Failure;
    switch (failure) {
        case Failure::dns_failed:
        case Failure::dns_timeout: return Sign::unnamed;
        case Failure::connect_unreachable:
        case Failure::connect_failed:
        case Failure::connect_timeout:
        case Failure::proxy_timeout:
        case Failure::tls_timeout:
        case Failure::send_timeout:
        case Failure::first_byte_timeout:
        case Failure::idle_timeout:
        case Failure::total_timeout: return Sign::silence;
        case Failure::bad_request:
        case Failure::no_such_host:
        case Failure::address_denied:
        case Failure::no_resources: return Sign::none;
        default: return Sign::heard;
    }
}

// A host of a known domain or address would be no independent witness. Of a known domain, the newer
// witness replaces the older one.
void NetworkWatch::add(Witness witness, TimePoint now) {
    last_added_ = now;
    const auto known = std::ranges::find_if(witnesses_, [&](const Witness& each) {
        return each.domain_key == witness.domain_key || each.peer.address == witness.peer.address;
    });
    if (known != witnesses_.end()) {
        if (known->domain_key == witness.domain_key) *known = std::move(witness);
        return;
    }
    if (witnesses_.size() < kWitnessMax) {
        witnesses_.push_back(std::move(witness));
        return;
    }
    if (next_place_ == kWitnessMax) next_place_ = kFirstWitnesses;
    witnesses_[next_place_++] = std::move(witness);
}

void NetworkWatch::on_verdict(Sign sign, NetworkState state, TimePoint now) {
    if (state == NetworkState::gone) return;  // The crawl ends: there is nothing to remember.
    if (state == NetworkState::names_gone) {
        names_lost_ = now;
        return;
    }
    (sign == Sign::unnamed ? last_names_heard_ : last_heard_) = now;
}

bool NetworkWatch::has_just_lost_names(TimePoint now) const {
    return names_lost_ && now - *names_lost_ < kVerdictLifetime;
}

bool NetworkWatch::is_recovering_names(TimePoint now) const {
    return names_lost_ && last_names_heard_ && *last_names_heard_ >= *names_lost_ &&
           now - *names_lost_ < kRecoveryTime;
}

bool NetworkWatch::is_proven(Sign sign, TimePoint began, TimePoint now) const {
    const TimePoint since =
        std::max(std::min(began, now - kSignLifetimeMin), now - kSignLifetimeMax);
    const std::optional<TimePoint>& last = sign == Sign::unnamed ? last_names_heard_ : last_heard_;
    return last && *last >= since;
}

bool NetworkWatch::has_no_route(const aio::Network& network) const {
    return !witnesses_.empty() && std::ranges::none_of(witnesses_, [&](const Witness& each) {
        return network.has_route(each.peer.address);
    });
}

std::optional<aio::Endpoint> parse_peer(std::string_view text) {
    const std::size_t colon = text.rfind(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::string_view host = text.substr(0, colon);
    if (host.starts_with('[') && host.ends_with(']')) host = host.substr(1, host.size() - 2);
    const auto address = aio::IpAddress::parse(host);
    const std::string_view digits = text.substr(colon + 1);
    std::uint16_t port = 0;
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), port);
    if (!address || error != std::errc{} || end != digits.data() + digits.size()) return {};
    return aio::Endpoint{*address, port};
}

namespace {

Co<std::vector<Reply>> ask_machines(const std::vector<Witness>& witnesses, const Config& config) {
    std::vector<Co<Reply>> questions;
    for (const Witness& witness : witnesses) {
        questions.push_back(ask_machine(witness.peer, config.client.bind_address));
    }
    co_return co_await aio::gather(std::move(questions));
}

// The result is empty if no witness has a name.
Co<std::vector<Reply>> ask_names(const std::vector<Witness>& witnesses) {
    std::vector<Co<Reply>> questions;
    for (const Witness& witness : witnesses) {
        if (!witness.name.empty()) questions.push_back(ask_name(witness.name));
    }
    co_return co_await aio::gather(std::move(questions));
}

}  // namespace

Co<NetworkState> ask_witnesses(std::vector<Witness> witnesses, Sign sign, const Config& config) {
    if (sign == Sign::unnamed) {
        const std::vector<Reply> named = co_await ask_names(witnesses);
        if (is_heard(named)) co_return NetworkState::there;
        // No name has ever been resolved in this crawl, so its failure is no sign of a loss.
        if (named.empty()) co_return NetworkState::there;
        const std::vector<Reply> reached = co_await ask_machines(witnesses, config);
        co_return is_heard(reached) ? NetworkState::names_gone : NetworkState::gone;
    }
    const std::vector<Reply> reached = co_await ask_machines(witnesses, config);
    if (is_heard(reached)) co_return NetworkState::there;
    if (reached.size() >= kSilentMin) co_return NetworkState::gone;
    const std::vector<Reply> named = co_await ask_names(witnesses);
    if (!named.empty()) co_return is_heard(named) ? NetworkState::there : NetworkState::gone;
    const bool finds_no_way = std::ranges::count(reached, Reply::no_way) == std::ssize(reached);
    co_return finds_no_way ? NetworkState::gone : NetworkState::there;
}

}  // namespace weft::crawl
