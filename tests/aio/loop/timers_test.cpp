#include "aio/loop/timers.h"

#include <deque>
#include <map>
#include <random>
#include <vector>

#include <gtest/gtest.h>

namespace weft::aio {
namespace {

// Notes that it fired.
struct NotedTimer final : Timer {
    void fire() noexcept override { fired->push_back(this); }
    std::vector<NotedTimer*>* fired = nullptr;
};

// What the queue should do, done plainly: moments in order, those of one moment as armed.
class PlainQueue {
public:
    void arm(NotedTimer& timer, TimePoint when) {
        disarm(timer);
        places_[&timer] = timers_.emplace(when, &timer);
    }
    void disarm(NotedTimer& timer) {
        const auto place = places_.find(&timer);
        if (place == places_.end()) return;
        timers_.erase(place->second);
        places_.erase(place);
    }
    bool empty() const { return timers_.empty(); }
    std::size_t size() const { return timers_.size(); }
    TimePoint next() const { return timers_.begin()->first; }
    std::vector<NotedTimer*> take_due(TimePoint now) {
        std::vector<NotedTimer*> due;
        while (!timers_.empty() && timers_.begin()->first <= now) {
            due.push_back(timers_.begin()->second);
            disarm(*due.back());
        }
        return due;
    }

private:
    std::multimap<TimePoint, NotedTimer*> timers_;
    std::map<NotedTimer*, std::multimap<TimePoint, NotedTimer*>::iterator> places_;
};

// From moments that fall together to some beyond the reach of the slots.
Duration random_delay(std::mt19937_64& random) {
    constexpr Duration kScales[] = {10ns, 1ms, 200ms, 30s, 300s, 10h};
    const Duration scale = kScales[random() % std::size(kScales)];
    return std::chrono::milliseconds(1) * (random() % 3) +
           Duration(
               static_cast<Duration::rep>(random() % static_cast<unsigned long>(scale.count())));
}

TEST(TimerQueue, FiresAsAPlainSortedListDoes) {
    std::mt19937_64 random(7);
    std::vector<NotedTimer*> fired;
    std::deque<NotedTimer> timers(300);
    for (NotedTimer& timer : timers) timer.fired = &fired;
    TimerQueue queue;
    PlainQueue plain;
    TimePoint now{};

    for (int step = 0; step < 200'000; ++step) {
        NotedTimer& timer = timers[random() % timers.size()];
        const unsigned long what = random() % 16;
        if (what < 9) {
            const TimePoint when = now + random_delay(random);
            queue.arm(timer, when);
            plain.arm(timer, when);
        } else if (what < 13) {
            queue.disarm(timer);
            plain.disarm(timer);
        } else if (!plain.empty()) {
            ASSERT_EQ(queue.next(), plain.next());
            now = what == 15 ? std::max(now, plain.next()) : now + random_delay(random) / 100;
            fired.clear();
            queue.fire_due(now);
            ASSERT_EQ(fired, plain.take_due(now)) << "step " << step;
        }
        ASSERT_EQ(queue.size(), plain.size());
    }
    for (NotedTimer& timer : timers) queue.disarm(timer);

    EXPECT_TRUE(queue.empty());
}

TEST(TimerQueue, TellsEachTimerThatItEndsBeforeTheMoment) {
    struct Abandoned final : Timer {
        void fire() noexcept override {}
        void abandon() noexcept override { ++count; }
        int count = 0;
    };
    Abandoned near;
    Abandoned far;
    Abandoned very_far;
    TimerQueue queue;
    queue.fire_due(TimePoint(1s));
    queue.arm(near, TimePoint(1s));
    queue.arm(far, TimePoint(31s));
    queue.arm(very_far, TimePoint(1000h));

    queue.abandon_all();

    EXPECT_EQ(near.count + far.count + very_far.count, 3);
    EXPECT_FALSE(near.is_armed() || far.is_armed() || very_far.is_armed());
    EXPECT_TRUE(queue.empty());
}

}  // namespace
}  // namespace weft::aio
