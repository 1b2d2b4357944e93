#include "aio/loop/executor.h"

#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <set>
#include <thread>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/net/connect.h"
#include "aio/net/server.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "support/forwarding_selector.h"

namespace weft::aio {
namespace {

std::size_t thread_count() {
    const std::filesystem::directory_iterator threads("/proc/self/task");
    return static_cast<std::size_t>(std::distance(begin(threads), end(threads)));
}

// A gate that blocks a thread: what a coroutine must never do.
class BlockingGate {
public:
    void open() { opened_.test_and_set(), opened_.notify_all(); }
    void pass() { opened_.wait(false); }

private:
    std::atomic_flag opened_;
};

// Takes its time to return from wake(), unless what it was woken for has happened by then.
class SlowToWake final : public tests::ForwardingSelector {
public:
    SlowToWake() : ForwardingSelector(make_default_selector()) {}

    void select(std::optional<Duration> timeout) override {
        if (!timeout) sleeps.open();
        ForwardingSelector::select(timeout);
    }
    void wake() noexcept override {
        ForwardingSelector::wake();
        const auto end = std::chrono::steady_clock::now() + 50ms;
        while (!happened && std::chrono::steady_clock::now() < end) std::this_thread::yield();
        returned = true;
    }

    BlockingGate sleeps;
    std::atomic<bool> happened = false;
    std::atomic<bool> returned = false;
};

Co<std::string> ask(Endpoint server) {
    Stream stream = co_await connect(server);
    co_return co_await stream.readline(100);
}

}  // namespace

TEST(ToThread, A52BlockingWorkRunsElsewhereAndCompletesOnTheLoop) {
    run([]() -> Co<> {
        const std::thread::id loops_own = std::this_thread::get_id();
        const auto gate = std::make_shared<BlockingGate>();
        const auto blocking = [gate] {
            gate->pass();
            return std::this_thread::get_id();
        };
        const Task<std::thread::id> work = create_task(to_thread(blocking));
        for (int i = 0; i < 100; ++i) co_await sleep(0s);  // The loop runs on meanwhile.
        EXPECT_FALSE(work.done());
        gate->open();
        EXPECT_NE(co_await work, loops_own);
        EXPECT_EQ(std::this_thread::get_id(), loops_own);
    }());
}

TEST(ToThread, A52AnExceptionOfTheWorkIsThrownWhereItIsAwaited) {
    run([]() -> Co<> {
        EXPECT_THROW(co_await to_thread([]() -> int { throw Error("no such file"); }), Error);
    }());
}

TEST(ToThread, A40CancelledTheAwaitEndsAndTheWorkRunsOn) {
    const auto gate = std::make_shared<BlockingGate>();
    const auto done = std::make_shared<std::atomic<bool>>(false);
    run([](auto closed, auto finished) -> Co<> {
        const auto begun = std::make_shared<std::atomic<bool>>(false);
        const auto blocking = [begun, closed, finished] {
            *begun = true;
            closed->pass();
            *finished = true;
        };
        Task<> work = create_task(to_thread(blocking));
        while (!*begun) co_await sleep(1ms);
        EXPECT_THROW(co_await wait_for(work, 1ms), TimeoutError);
        EXPECT_FALSE(*finished);
        closed->open();
    }(gate, done));
    EXPECT_TRUE(*done);  // The end of the loop waits for it.
}

TEST(EventLoop, A52ACallFromAThreadRunsOnlyAfterThatThreadHasLetGoOfTheLoop) {
    const SystemPlatform system;
    SlowToWake selector;
    Platform platform = system.get();
    platform.selector = &selector;
    EventLoop loop(platform);
    const auto work = [](SlowToWake& used) -> Co<> {
        co_await to_thread([&used] { used.sleeps.pass(); });  // A loop awake needs no wake().
        EXPECT_TRUE(used.returned);
        used.happened = true;
    };
    const Task<> main = create_task_on(loop, work(selector), "main");
    EXPECT_TRUE(loop.run_until_done(*main.state()));
    loop.shutdown();
}

TEST(EventLoop, CallsFromThreadsRunBeforeWhatIsReadyInTheirOrder) {
    std::string said;
    run([](std::string& words) -> Co<> {
        EventLoop& loop = EventLoop::running();
        const auto other = [&] {
            loop.call_soon_threadsafe([&] { words += 'a'; });
            loop.call_soon_threadsafe([&] { words += 'b'; });
        };
        std::thread(other).join();
        for (int i = 0; i < 1'000; ++i) loop.call_soon([&] { words += '.'; });
        while (words.size() < 1'002) co_await sleep(0s);
    }(said));
    EXPECT_NE(said.find("ab"), std::string::npos);
    EXPECT_LT(said.find("ab"), 1'000u);  // Found at the next poll, not behind all others.
}

TEST(ToThread, A14ManyBlockingCallsShareAFewThreads) {
    run([]() -> Co<> {
        struct Seen {
            std::mutex mutex;
            std::set<std::thread::id> threads;
        };
        const auto seen = std::make_shared<Seen>();
        std::vector<Co<int>> calls;
        for (int i = 0; i < 500; ++i) {
            calls.push_back(to_thread([seen, i] {
                const std::lock_guard lock(seen->mutex);
                seen->threads.insert(std::this_thread::get_id());
                return i;
            }));
        }
        const std::vector<int> results = co_await gather(std::move(calls));
        EXPECT_EQ(results.back(), 499);
        EXPECT_LE(seen->threads.size(), 4u);
    }());
}

TEST(EventLoop, A14ConnectionsNamesAndTimersNeedNoThreads) {
    run([]() -> Co<> {
        const std::size_t before = thread_count();
        const auto greet = [](Stream stream) -> Co<> {
            co_await sleep(5ms);
            co_await stream.write("hello\n");
        };
        const Server server = start_server(greet, {IpAddress::loopback(), 0});
        std::vector<Co<std::string>> asking;
        for (int i = 0; i < 300; ++i) asking.push_back(ask(server.local()));
        const Task<std::vector<std::string>> all = create_task(gather(std::move(asking)));
        co_await sleep(2ms);
        try {
            co_await EventLoop::running().network().resolver().resolve("localhost");
        } catch (const ResolveError&) {
            // Without a name server there is no answer, and no thread either.
        }
        EXPECT_EQ(thread_count(), before);
        const std::vector<std::string> answers = co_await all;
        EXPECT_EQ(std::ranges::count(answers, "hello\n"), 300);
        EXPECT_EQ(thread_count(), before);
    }());
}

TEST(Future, A25IsCompletedFromACallbackOrAnotherThread) {
    run([]() -> Co<> {
        EventLoop& loop = EventLoop::running();
        Future<int> by_callback = create_future<int>();
        loop.call_soon([by_callback] { by_callback.set_result(1); });
        EXPECT_EQ(co_await by_callback, 1);

        Future<std::string> by_thread = create_future<std::string>();
        auto* held = new Future<std::string>(by_thread);  // Touched on the loop's thread only.
        std::thread other([&loop, held] {
            loop.call_soon_threadsafe([held] {
                held->set_result("from afar");
                delete held;
            });
        });
        EXPECT_EQ(co_await by_thread, "from afar");
        other.join();
    }());
    EXPECT_THROW(static_cast<void>(create_future<int>()), NoRunningLoop);
}

// run() never returned: its loop waited for a call that nobody would make.
TEST(RunIn, AnExecutorThatTakesNothingIsAnErrorOfTheCall) {
    struct Refusing final : Executor {
        void execute(std::move_only_function<void()>) override { throw Error("no more threads"); }
    };
    run([]() -> Co<> {
        Refusing executor;
        EXPECT_THROW(co_await run_in(executor, [] { return 1; }), Error);
    }());
}

// A job that waited for a thread ran though nobody waited for it.
TEST(Executor, ACancelledJobThatHasNotBegunNeverDoes) {
    run([]() -> Co<> {
        ThreadPool pool(1);
        std::atomic<bool> begun = false;
        std::atomic<int> ran = 0;
        BlockingGate gate;
        Task<> first = create_task(run_in(pool, [&] {
            begun = true;
            gate.pass();
            ++ran;
        }));
        Task<> second = create_task(run_in(pool, [&ran] { ran += 10; }));
        Task<> third = create_task(run_in(pool, [&ran] { ran += 100; }));
        while (!begun) co_await sleep(1ms);
        first.cancel();  // It has begun: it runs on.
        second.cancel();
        co_await sleep(1ms);
        gate.open();
        co_await third;
        EXPECT_EQ(ran, 101);
    }());
}

}  // namespace weft::aio
