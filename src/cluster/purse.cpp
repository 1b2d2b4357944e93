#include "cluster/purse.h"

#include <algorithm>
#include <utility>

#include "aio/loop/loop.h"
#include "aio/task/sleep.h"

namespace weft::cluster {

using aio::Co;

Purse::Purse(Sender& sender, CrawlKeys keys, PurseOptions options, CrawlControl& control,
             const PurseOwner& crawl)
    : sender_(sender),
      keys_(std::move(keys)),
      options_(std::move(options)),
      control_(control),
      crawl_(crawl),
      left_(options_.page_max) {}

// A share of what is left, so that the last pages are spread over the workers.
std::uint64_t Purse::block() const {
    const std::uint64_t share = left_ / (4 * std::max<std::size_t>(1, crawl_.worker_count()));
    return std::clamp<std::uint64_t>(share, 1, 2 * options_.concurrency);
}

Co<> Purse::run() {
    allowance_ = control_.set_allowance(0, false);
    while (true) {
        const TimePoint now = aio::EventLoop::running().time();
        const bool is_old = asked_at_ != TimePoint::min() && now - asked_at_ >= options_.valid_for;
        // Pages under way belong to terms that have ended as well: they will not count.
        if (is_old && !is_final_) allowance_ = control_.set_allowance(0, false);
        if (needs_call(now)) co_await ask();
        co_await aio::sleep(options_.look_every);
    }
}

bool Purse::needs_call(TimePoint now) {
    const std::uint64_t begun = control_.begun_page_count();
    if (begun != last_begun_) begun_at_ = now;
    last_begun_ = begun;
    if (asked_at_ == TimePoint::min() || now - asked_at_ >= options_.confirm_every) return true;
    const std::uint64_t free = allowance_ - std::min(begun, allowance_);
    if (free > 0 && now - begun_at_ >= options_.idle_max) {
        allowance_ = control_.set_allowance(0, false);  // Gives the free ones back.
        begun_at_ = now;
        return true;
    }
    // Without anything left, only others can give back.
    const bool is_worth_it = left_ > 0 || now - asked_at_ >= options_.idle_max;
    return is_short() && is_worth_it;
}

bool Purse::is_short() const {
    const std::uint64_t begun = control_.begun_page_count();
    const std::uint64_t free = allowance_ - std::min(begun, allowance_);
    return free * 2 < block() && crawl_.has_demand();
}

Co<> Purse::ask() {
    const TimePoint sent_at = aio::EventLoop::running().time();
    const std::uint64_t used = crawl_.used_pages();
    const std::uint64_t before = allowance_;
    const Result<Grant> grant =
        co_await sender_.send(cluster::grant(keys_.budget(), options_.worker,
                                             {.max = options_.page_max,
                                              .used = used,
                                              .held = before - std::min(used, before),
                                              .want = is_short() ? block() : 0}));
    if (!grant) co_return;
    asked_at_ = sent_at;
    left_ = grant->left;
    const bool is_all_spent = grant->granted == 0 && grant->left == 0 && grant->held_by_others == 0;
    is_final_ = is_all_spent;
    allowance_ = control_.set_allowance(before + grant->granted, is_final_);
}

}  // namespace weft::cluster
