#include "crawl/run/network_judge.h"

#include "aio/loop/loop.h"
#include "crawl/politeness/address.h"
#include "crawl/visit/active_visit.h"

namespace weft::crawl {

using aio::Co;

namespace {

// While the name servers are silent: how long ago the last response of any host may be for the
// crawl to go on.
constexpr Duration kSilenceMax = 30s;

}  // namespace

void NetworkJudge::note_answer(const Outcome& outcome, const web::Url& url,
                               std::uint64_t domain_key) {
    if (!config_.stops_without_network || outcome.address.empty()) return;
    const TimePoint now = aio::EventLoop::running().time();
    shared_.with_network([&](NetworkWatch& watch) {
        watch.on_answer(now);
        if (!watch.wants_witness(now)) return;
        const std::optional<aio::Endpoint> peer = parse_peer(outcome.address);
        if (!peer) return;
        const bool has_name = asks_name_servers(url, client_);
        watch.add({.name = has_name ? std::string(url.hostname()) : "",
                   .peer = *peer,
                   .domain_key = domain_key},
                  now);
    });
}

Co<NetworkState> NetworkJudge::judge(const ActiveVisit& visit, TimePoint began) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const Sign sign = visit.failure ? sign_of(*visit.failure) : Sign::none;
    if (sign == Sign::none || !config_.stops_without_network) co_return NetworkState::there;
    const auto look = [&](NetworkWatch& watch) -> std::optional<NetworkState> {
        if (sign == Sign::heard) watch.on_heard(loop.time());
        if (sign == Sign::heard || watch.witnesses().empty()) return NetworkState::there;
        if (watch.has_no_route(loop.network())) return NetworkState::gone;
        if (sign == Sign::unnamed && watch.is_recovering_names(loop.time())) {
            return NetworkState::names_gone;
        }
        if (watch.is_proven(sign, began, loop.time())) return NetworkState::there;
        if (sign == Sign::unnamed && watch.has_just_lost_names(loop.time())) {
            return NetworkState::names_gone;
        }
        return std::nullopt;
    };
    if (const auto state = shared_.with_network(look)) co_return *state;
    const aio::Lock::Guard guard = co_await asking_.acquire();
    // The task that held the lock before may have settled the question for all.
    if (shared_.stop_reason() == StopReason::network) co_return NetworkState::gone;
    if (const auto state = shared_.with_network(look)) co_return *state;
    std::vector<Witness> witnesses =
        shared_.with_network([](const NetworkWatch& watch) { return watch.witnesses(); });
    const NetworkState state = co_await ask_witnesses(std::move(witnesses), sign, config_);
    co_return shared_.with_network([&](NetworkWatch& watch) {
        // Another host may have answered while the witnesses were asked.
        if (watch.is_proven(sign, loop.time(), loop.time())) return NetworkState::there;
        watch.on_verdict(sign, state, loop.time());
        const bool is_recovering = sign == Sign::unnamed && state == NetworkState::there &&
                                   watch.is_recovering_names(loop.time());
        return is_recovering ? NetworkState::names_gone : state;
    });
}

bool NetworkJudge::goes_on(NetworkState state) const {
    if (state == NetworkState::gone) return false;
    const TimePoint now = aio::EventLoop::running().time();
    return shared_.with_network([&](const NetworkWatch& watch) {
        return watch.is_recovering_names(now) || watch.has_answered_since(now - kSilenceMax);
    });
}

}  // namespace weft::crawl
