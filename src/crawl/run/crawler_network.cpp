// The part of the Crawler that tells a dead host from a lost network.
#include "aio/loop/loop.h"
#include "crawl/politeness/address.h"
#include "crawl/run/crawler.h"

namespace weft::crawl {

using aio::Co;

namespace {

// While the name servers are silent: the pause before a name is asked for again, and how long ago
// the last response of any host may be for the crawl to go on.
constexpr Duration kNamesPause = 10s;
constexpr Duration kSilenceMax = 30s;

}  // namespace

void Crawler::note_answer(const Outcome& outcome, const web::Url& url, const HostState& host) {
    const TimePoint now = aio::EventLoop::running().time();
    shared_.with_network([&](NetworkWatch& watch) {
        watch.on_answer(now);
        if (!watch.wants_witness(now)) return;
        const std::optional<aio::Endpoint> peer = parse_peer(outcome.address);
        if (!peer) return;
        const bool has_name = asks_name_servers(url, visitor_.client_options());
        watch.add({.name = has_name ? std::string(url.hostname()) : "",
                   .peer = *peer,
                   .domain_key = host.domain_key},
                  now);
    });
}

// Decides whether a failure is the host's or the network's. A URL that fails because nothing can be
// reached is not given up: it waits for the next run, or for the name servers. One task of this
// crawler asks the witnesses; the others wait for its verdict.
Co<NetworkState> Crawler::network_after(const ActiveVisit& active, const VisitResult& result,
                                        TimePoint began) {
    if (!config_.stops_without_network) co_return NetworkState::there;
    const aio::EventLoop& loop = aio::EventLoop::running();
    if (!result.outcome.address.empty()) note_answer(result.outcome, active.url, active.host);
    const Sign sign = result.failure ? sign_of(*result.failure) : Sign::none;
    if (sign == Sign::none) co_return NetworkState::there;
    const auto judge = [&](NetworkWatch& watch) -> std::optional<NetworkState> {
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
    if (const auto state = shared_.with_network(judge)) co_return *state;
    const aio::Lock::Guard guard = co_await asking_witnesses_.acquire();
    // The task that held the lock before may have settled the question for all.
    if (stop_reason() == StopReason::network) co_return NetworkState::gone;
    if (const auto state = shared_.with_network(judge)) co_return *state;
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

// Puts the URL back, and stops the crawl if the network is gone. If only the name servers are
// silent, the crawl goes on as long as hosts with known addresses answer.
Co<> Crawler::wait_for_network(const ActiveVisit& active, VisitResult& result, NetworkState state) {
    const TimePoint now = aio::EventLoop::running().time();
    const bool goes_on =
        state == NetworkState::names_gone && shared_.with_network([&](const NetworkWatch& watch) {
            return watch.is_recovering_names(now) || watch.has_answered_since(now - kSilenceMax);
        });
    if (!goes_on) stop(StopReason::network);
    budgets_.end(active.host.key, active.host.domain_key, {});
    const TimePoint again = goes_on ? now + kNamesPause : now;
    co_await put_back(active, again, &result);
    co_await frontier_.change_host({.host = active.visit.candidate.host, .ready_at = now});
}

}  // namespace weft::crawl
