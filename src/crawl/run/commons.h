#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <mutex>
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
    none,   // All is done, or nobody has asked.
    user,   // stop() was called.
    pages,  // The crawl's own budget is spent.
    bytes,
    time,
    network,  // It is gone; what could not be reached waits on.
    memory,   // The process holds as much as it may, and cannot do with less.
    disk,     // Less than the reserve is free.
};

// What the shards of a crawl have in common: the crawl's own budget, the turns at addresses, what
// pages had in them, and a way to tell all of them something. Made on a loop; for any thread.
class Commons {
public:
    // For so many crawlers.
    explicit Commons(const Config& config, std::size_t crawler_count = 1);

    AddressTurns& addresses() { return addresses_; }
    SeenContent& content() { return content_; }

    // For the keys that shards speak of to each other. Outsiders choose what is hashed (H74).
    std::uint64_t hash_seed() const { return hash_seed_; }

    // The crawl's budget: may a fetch begin? try_begin() that gives Room::free has begun one, and
    // end() must follow. Exact: what has begun counts as spent until it ends otherwise.
    Room room() const;
    Room try_begin();
    void end(const Cost& cost);
    bool has_spent_pages() const;

    // When the next fetch may begin, by the pages a second that the crawl may ask for. Each call is
    // one fetch.
    TimePoint take_start(TimePoint now);

    // What was spent in an earlier run.
    void add(const Cost& cost);

    // The watch on the network, under the lock: `act` gets the NetworkWatch.
    template <class Act>
    auto with_network(Act act) {
        const std::lock_guard lock(mutex_);
        return act(network_);
    }

    // Why the crawl was stopped: the first reason that a crawler gave.
    void note_stop(StopReason reason);
    StopReason stop_reason() const;

    // A crawler that runs on the running loop, from its start to its end. It hears at once all the
    // lasting news that came before it.
    class Membership {
    public:
        Membership(Commons& commons, Crawler& crawler);
        ~Membership();
        Membership(const Membership&) = delete;
        Membership& operator=(const Membership&) = delete;

    private:
        Commons& commons_;
        Crawler& crawler_;
    };

    // Calls it for every crawler that runs, on its own loop: at once for those of the running loop,
    // soon for others; `lasting` news also for those that join later.
    enum class News { passing, lasting };
    void tell(News news, const std::function<void(Crawler&)>& what);

private:
    struct Member {
        aio::EventLoop* loop;
        Crawler* crawler;
    };

    bool is_member(const Crawler& crawler) const;

    const Config& config_;
    std::uint64_t hash_seed_;
    AddressTurns addresses_;
    SeenContent content_;
    mutable std::mutex mutex_;
    Account account_;
    TimePoint next_start_{};
    NetworkWatch network_;
    StopReason stop_reason_ = StopReason::none;
    std::vector<Member> members_;
    std::size_t missing_count_;                           // Crawlers that have not joined yet,
    std::vector<std::function<void(Crawler&)>> lasting_;  // and the news that they are to hear.
};

}  // namespace weft::crawl
