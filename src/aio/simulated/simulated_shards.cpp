#include "aio/simulated/simulated_shards.h"

#include <algorithm>
#include <exception>
#include <utility>
#include <vector>

#include "aio/loop/executor.h"
#include "aio/loop/selector.h"
#include "aio/simulated/simulated_clock.h"
#include "aio/simulated/simulated_selector.h"
#include "aio/task/task.h"
#include "base/assert.h"

namespace weft::aio {
namespace {

constexpr unsigned kTurnEndChance = 4;  // One in this many polls of a busy loop ends its turn.

// Ends the loop's turn when it has nothing to do now, and sometimes while it has.
class TurnSelector final : public Selector {
public:
    TurnSelector(const SimulatedClock& clock, Random& random, Selector& alone)
        : clock_(clock), random_(random), alone_(alone) {}

    std::string_view name() const override { return "simulated shard"; }
    bool is_edge_triggered() const override { return true; }
    void add(int fd, Interest interest, IoHandler& handler) override {
        alone_.add(fd, interest, handler);
    }
    void modify(int fd, Interest interest) override { alone_.modify(fd, interest); }
    void remove(int) noexcept override {}
    void wake() noexcept override { woken_ = true; }

    void select(std::optional<Duration> timeout) override {
        if (std::exchange(woken_, false)) return;
        // Outside of turns: shutdown() runs one loop alone.
        if (!loop_) return alone_.select(timeout);
        if (timeout == Duration::zero()) {
            if (random_.below(kTurnEndChance) != 0) return;
            // The loop has work left for its next turn, so the clock must not move.
            is_busy_ = true;
        } else if (timeout) {
            deadline_ = clock_.now() + *timeout;
        }
        // Ends the run_forever() of take_turns().
        loop_->stop();
    }

    // From here until finish() the loop takes turns with the others; after that it runs alone.
    void start_turn(EventLoop& loop) {
        loop_ = &loop;
        is_busy_ = false;
        deadline_.reset();
    }
    void finish() { loop_ = nullptr; }

    bool has_work_now() const { return is_busy_ || woken_; }
    std::optional<TimePoint> deadline() const { return deadline_; }

private:
    const SimulatedClock& clock_;
    Random& random_;
    Selector& alone_;
    EventLoop* loop_ = nullptr;
    bool woken_ = false;
    bool is_busy_ = false;
    std::optional<TimePoint> deadline_;
};

}  // namespace

struct SimulatedShards::World {
    struct Member {
        Member(World& world, std::size_t index, std::size_t count, std::uint64_t seed)
            : view(world.network.seen_from("here")),
              random(seed),
              selector(world.clock, world.random, world.alone),
              loop(Platform{.clock = &world.clock,
                            .selector = &selector,
                            .network = view.get(),
                            .files = &world.files,
                            .executor = &world.executor,
                            .random = &random}),
              shard{.index = index, .count = count, .loop = loop} {}

        std::unique_ptr<Network> view;
        Random random;
        TurnSelector selector;
        EventLoop loop;
        Shard shard;
        Task<> main;
    };

    World(std::size_t count, std::uint64_t seed) : random(seed), network(clock, seed) {
        for (std::size_t i = 0; i < count; ++i) {
            members.push_back(std::make_unique<Member>(*this, i, count, random()));
            order.push_back(i);
        }
    }

    bool is_done() const {
        return std::ranges::all_of(members, [](const auto& member) { return member->main.done(); });
    }

    void take_turns() {
        network.deliver_due();
        // Shuffles the order (Fisher-Yates), by the seed.
        for (std::size_t i = order.size(); i > 1; --i) {
            std::swap(order[i - 1], order[random.below(i)]);
        }
        for (const std::size_t index : order) {
            Member& member = *members[index];
            member.selector.start_turn(member.loop);
            member.loop.run_forever();
            if (member.main.done()) note_end(member);
        }
    }

    void note_end(const Member& member) {
        if (failure || member.main.cancelled() || !member.main.exception()) return;
        failure = member.main.exception();
        // As in Shards: the first failure cancels the others.
        for (const auto& other : members) {
            EventLoop& loop = other->loop;
            // As another thread would do it: the loop is not running now.
            loop.call_soon_threadsafe([main = other->main] { main.cancel(); });
        }
    }

    // Moves the clock to the next event or deadline. Does not move it if a shard has work now.
    void move_on() {
        std::optional<TimePoint> next = network.next_event();
        for (const auto& member : members) {
            if (member->selector.has_work_now()) return;
            const std::optional<TimePoint> deadline = member->selector.deadline();
            if (deadline) next = std::min(next.value_or(*deadline), *deadline);
        }
        if (!next) {
            std::string text;
            for (const auto& member : members) text += describe_deadlock(member->loop);
            throw Error(text);
        }
        clock.advance(std::max(Duration::zero(), *next - clock.now()));
    }

    void finish() {
        for (const auto& member : members) {
            member->selector.finish();
            member->loop.shutdown();
        }
    }

    SimulatedClock clock;
    Random random;
    SimulatedNetwork network;
    MemoryFiles files;
    InlineExecutor executor;
    SimulatedSelector alone{clock, network};
    std::vector<std::unique_ptr<Member>> members;
    std::vector<std::size_t> order;
    std::exception_ptr failure;
};

SimulatedShards::SimulatedShards(std::size_t count, std::uint64_t seed)
    : world_(std::make_unique<World>(count, seed)) {
    WEFT_ASSERT(count > 0);
}

SimulatedShards::~SimulatedShards() = default;

void SimulatedShards::run(const ShardMain& main) {
    World& world = *world_;
    for (const auto& member : world.members) {
        member->main = create_task_on(member->loop, main(member->shard), "shard main");
    }
    try {
        world.take_turns();
        while (!world.is_done()) {
            world.move_on();
            world.take_turns();
        }
    } catch (...) {
        world.finish();
        throw;
    }
    world.finish();
    if (world.failure) std::rethrow_exception(std::exchange(world.failure, nullptr));
}

Duration SimulatedShards::now() const {
    return world_->clock.now().time_since_epoch();
}

SimulatedNetwork& SimulatedShards::network() {
    return world_->network;
}

MemoryFiles& SimulatedShards::files() {
    return world_->files;
}

}  // namespace weft::aio
