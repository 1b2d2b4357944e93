#include "crawl/politeness/places.h"

#include <utility>

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kGoodPart = 4;        // One fast place in four is reserved for good hosts.
constexpr std::size_t kWaitingMax = 8'192;  // Waiting fetches of fresh and slow hosts.
constexpr Duration kQuickTime = 1s;         // Then a fetch may be moved to a slow place.
constexpr Duration kPatienceFresh = 2s;     // Then a fetch of a fresh host may be told to give up.
constexpr Duration kPatienceGood = 10s;     // The same for a host that answered soon before.
constexpr Duration kLookInterval = 250ms;

}  // namespace

// Works like the awaiter of a semaphore: a free place is handed to the first waiter, so a newcomer
// cannot take it in between.
class Places::Awaiter final : public aio::LinedWaiter {
public:
    Awaiter(Places& places, Standing standing) noexcept : places_(places), standing_(standing) {}

    bool await_ready() noexcept { return places_.is_closed_; }
    template <class Promise>
    void await_suspend(std::coroutine_handle<Promise> caller) noexcept {
        Lane& lane = places_.lane(standing_);
        lane.line.push(*this);
        ++lane.waiting_count;
        suspend(caller);
    }
    bool await_resume() {
        if (take_cancellation()) {
            // Cancelled after the place was handed over, before this task ran: pass it on.
            if (has_place_) places_.leave(standing_);
            throw aio::CancelledError();
        }
        return has_place_;
    }
    bool cancel() noexcept override {
        if (!has_place_) {
            Lane& lane = places_.lane(standing_);
            lane.line.remove(*this);
            --lane.waiting_count;
        }
        mark_cancelled();
        wake();
        return true;
    }

    void give_place() noexcept {
        has_place_ = true;
        wake();
    }

private:
    Places& places_;
    Standing standing_;
    bool has_place_ = false;
};

Places::Places(std::size_t count) : count_(count), fresh_max_(count - count / kGoodPart) {}

bool Places::is_crowded() const {
    return waiting_count(Standing::fresh) + waiting_count(Standing::slow) >= kWaitingMax;
}

bool Places::may_enter(Standing standing) const {
    if (standing == Standing::slow) return used_count(Standing::slow) < count_;
    if (used_count(Standing::good) + used_count(Standing::fresh) >= count_) return false;
    return standing == Standing::good || used_count(Standing::fresh) < fresh_max_;
}

// Whether a fetch waits for a fast place.
bool Places::is_wanted() const {
    return waiting_count(Standing::good) + waiting_count(Standing::fresh) > 0;
}

bool Places::serve_one(Standing standing) noexcept {
    Lane& served = lane(standing);
    if (served.waiting_count == 0 || !may_enter(standing)) return false;
    auto* first = static_cast<Awaiter*>(served.line.pop());
    --served.waiting_count;
    ++served.used_count;
    first->give_place();
    return true;
}

// Hands all free places to waiting fetches. Good and fresh hosts take turns at the fast places; if
// one kind cannot be served, the other gets the place.
void Places::serve() noexcept {
    const bool was_crowded = is_crowded();
    while (serve_one(Standing::slow)) {
    }
    for (;;) {
        const Standing other = last_served_ == Standing::good ? Standing::fresh : Standing::good;
        if (serve_one(other)) {
            last_served_ = other;
        } else if (!serve_one(last_served_)) {
            break;
        }
    }
    if (was_crowded && !is_crowded()) changed_.set();
}

void Places::leave(Standing standing) noexcept {
    --lane(standing).used_count;
    serve();
}

void Places::close() {
    is_closed_ = true;
    for (Lane& each : lanes_) {
        each.line.wake_all();
        each.waiting_count = 0;
    }
    changed_.set();
}

bool Places::Place::try_enter(Standing standing) noexcept {
    if (places_.is_closed_ || places_.waiting_count(standing) > 0) return false;
    if (!places_.may_enter(standing)) return false;
    standing_ = standing;
    ++places_.lane(standing).used_count;
    return is_held_ = true;
}

Co<bool> Places::Place::enter(Standing standing) {
    if (try_enter(standing)) co_return true;
    standing_ = standing;
    is_held_ = co_await Awaiter(places_, standing);
    co_return is_held_;
}

void Places::Place::leave() noexcept {
    unwatch();
    if (std::exchange(is_held_, false)) places_.leave(standing_);
}

void Places::Place::watch(std::function<bool()> has_progress, std::function<void()> on_crowded) {
    if (standing_ == Standing::slow) return;
    has_progress_ = std::move(has_progress);
    on_crowded_ = std::move(on_crowded);
    aio::EventLoop& loop = aio::EventLoop::running();
    since_ = loop.time();
    loop.arm(*this, since_ + kQuickTime);
}

void Places::Place::unwatch() noexcept {
    if (is_armed()) aio::EventLoop::running().disarm(*this);
}

void Places::Place::look_again() noexcept {
    aio::EventLoop& loop = aio::EventLoop::running();
    loop.arm(*this, loop.time() + kLookInterval);
}

// The timer of a watched fetch. A fetch that has moved to a slow place is not watched any more.
void Places::Place::fire() noexcept {
    if (!is_held_) return;
    if (!places_.is_wanted()) return look_again();
    if (places_.may_enter(Standing::slow)) {
        // The slow place is taken before the fast one is left: leave() serves waiters, and one of
        // them could take the slow place.
        const Standing before = std::exchange(standing_, Standing::slow);
        ++places_.lane(Standing::slow).used_count;
        places_.leave(before);
        return;
    }
    const TimePoint now = aio::EventLoop::running().time();
    const Duration patience = standing_ == Standing::good ? kPatienceGood : kPatienceFresh;
    if (now - since_ < patience || has_progress_()) return look_again();
    on_crowded_();
}

}  // namespace weft::crawl
