#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
#include <optional>
#include <string_view>
#include <vector>

#include "aio/loop/loop.h"
#include "crawl/politeness/address_turns.h"
#include "crawl/politeness/network_watch.h"
#include "crawl/run/config.h"
#include "crawl/scope/budgets.h"
#include "crawl/scope/seen_content.h"

namespace weft::crawl {

class Crawler;

// Why a crawl ended before its URLs did.
enum class StopReason : std::uint8_t {
    none,     // The crawl has not been stopped: it still runs, or all its URLs are done.
    user,     // stop() was called.
    pages,    // The crawl's page budget is spent.
    bytes,    // Its byte budget is spent.
    time,     // Its time is over.
    network,  // The network is gone. URLs that could not be reached wait for the next run.
    memory,   // The process stays above its memory limit although no new fetch begins.
    disk,     // Less disk space than the reserve is free.
};

// The state that all shards of a crawl share: the crawl's budget, the turns at addresses, the
// contents seen so far, the watch on the network, and a way to send news to every crawler.
//
// Constructed on a loop's thread; all functions may be called from any thread. Owned by the
// crawlers that use it, together with their Crew if there is one.
class SharedState {
public:
    // `crawler_count`: how many crawlers will join. `config` outlives the object.
    explicit SharedState(const Config& config, std::size_t crawler_count = 1);

    AddressTurns& addresses() { return addresses_; }
    SeenContent& content() { return content_; }
    std::size_t crawler_count() const { return crawler_count_; }

    // Held while the text of a large page is extracted (TextMemory).
    std::mutex& large_text() { return large_text_; }

    // The hash seed of keys that shards exchange. It is random because outsiders choose the names
    // and addresses that are hashed (H74).
    std::uint64_t hash_seed() const { return hash_seed_; }

    // The crawl's budget: may a fetch begin? If try_begin() returns Room::free, a fetch has begun,
    // and end() must follow. A fetch under way counts as a page until end() reports its cost, so
    // the page budget is never exceeded.
    Room room() const;
    Room try_begin();
    void end(const Cost& cost);
    bool has_spent_pages() const;

    // In a crawl on several machines, how many pages this one may begin in all takes the place of
    // the crawl's page budget. It can be lowered only to what has begun: returns what holds from
    // now on. Until it `is_final`, more may be allowed later, so the budget is never spent.
    std::uint64_t set_allowance(std::uint64_t page_count, bool is_final);

    // Pages that have begun, the finished ones included.
    std::uint64_t begun_page_count() const;

    // How many machines share the crawl's rate, and how many bytes the others have received.
    void set_others(std::size_t worker_count, std::uint64_t bytes);

    // Reserves the start time of one fetch, so that all crawlers together stay below
    // Config::rate_max. Each call counts as one fetch.
    TimePoint take_start(TimePoint now);

    // Adds a cost that an earlier run of this crawl has spent.
    void add(const Cost& cost);

    // Calls `act` with the NetworkWatch while the lock is held. `act` must not call back into this
    // object.
    template <class Act>
    auto with_network(Act act) {
        const std::lock_guard lock(mutex_);
        return act(network_);
    }

    // Why the crawl was stopped. The first reason counts; later ones are ignored.
    void note_stop(StopReason reason);
    StopReason stop_reason() const;

    // Registers a crawler of the running loop for the lifetime of this object. The constructor
    // calls the crawler with all lasting news that was sent before it joined.
    class Membership {
    public:
        Membership(SharedState& shared, Crawler& crawler);
        ~Membership();
        Membership(const Membership&) = delete;
        Membership& operator=(const Membership&) = delete;

    private:
        SharedState& shared_;
        Crawler& crawler_;
    };

    // Calls `what` for every registered crawler, on that crawler's own loop: before tell() returns
    // for crawlers of the running loop, later for others. `lasting` news also reaches crawlers that
    // join later.
    enum class News { passing, lasting };
    void tell(News news, const std::function<void(Crawler&)>& what);

private:
    struct Member {
        aio::EventLoop* loop;
        Crawler* crawler;
    };

    bool is_member(const Crawler& crawler) const;
    Room room_now() const;  // REQUIRES: mutex_ is held.

    const Config& config_;
    std::uint64_t hash_seed_;
    AddressTurns addresses_;
    SeenContent content_;
    std::size_t crawler_count_;
    std::mutex large_text_;
    mutable std::mutex mutex_;
    Account account_;
    std::optional<std::uint64_t> allowance_;
    bool is_allowance_final_ = false;
    std::size_t worker_count_ = 1;
    std::uint64_t others_bytes_ = 0;
    TimePoint next_start_{};
    NetworkWatch network_;
    StopReason stop_reason_ = StopReason::none;
    std::vector<Member> members_;
    std::size_t missing_count_;                           // Crawlers that have not joined yet.
    std::vector<std::function<void(Crawler&)>> lasting_;  // The news that they will receive.
};

}  // namespace weft::crawl
