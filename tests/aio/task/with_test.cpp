#include "aio/task/with.h"

#include <gtest/gtest.h>

#include "aio/sync/lock.h"
#include "aio/task/exit_stack.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/simulate.h"

namespace weft::aio {
namespace {

// A manager that writes down what happens to it.
struct Noted {
    std::string& log;
    std::string name;
    bool swallows = false;
    Duration exit_time = 1s;

    Co<> aenter() {
        co_await sleep(1s);
        log += "+" + name + " ";
    }
    Co<bool> aexit(std::exception_ptr exception) {
        co_await sleep(exit_time);
        log += "-" + name + (exception ? "(" + describe(exception) + ") " : " ");
        co_return swallows;
    }
};

// A manager whose aenter() gives something else.
struct Opener {
    Co<int> aenter() { co_return 42; }
    Co<> aexit(std::exception_ptr) { co_return; }
};

Co<Noted> make_noted(std::string& log) {
    co_await sleep(1s);
    co_return Noted{log, "made"};
}

AsyncGenerator<int> cleaning(std::string& log) {
    bool closed = false;
    try {
        for (int i = 0;; ++i) co_yield i;
    } catch (const GeneratorExit&) {
        closed = true;
    }
    if (closed) co_await sleep(1s);
    log += "cleaned";
}

}  // namespace

TEST(With, A34EnterAndExitAreAwaited) {
    std::string log;

    simulate([&]() -> Co<> {
        const int value = co_await with(Noted{log, "a"}, [&](Noted& noted) -> Co<int> {
            noted.log += "body ";
            co_return 7;
        });
        EXPECT_EQ(value, 7);
        EXPECT_EQ(elapsed(), 2s);
    });

    EXPECT_EQ(log, "+a body -a ");
}

TEST(With, A34TheExitIsToldTheExceptionWhichGoesOn) {
    std::string log;

    simulate([&]() -> Co<> {
        std::string what;
        try {
            co_await with(Noted{log, "a"}, [](Noted&) -> Co<> {
                throw Error("boom");
                co_return;
            });
        } catch (const Error& error) {
            what = error.what();
        }
        EXPECT_EQ(what, "boom");
    });

    EXPECT_EQ(log, "+a -a(boom) ");
}

TEST(With, A34AnExitThatReturnsTrueSwallowsTheException) {
    std::string log;

    simulate([&]() -> Co<> {
        co_await with(Noted{log, "a", true}, [](Noted&) -> Co<> {
            throw Error("boom");
            co_return;
        });
    });

    EXPECT_EQ(log, "+a -a(boom) ");
}

TEST(With, A34NestsInOrder) {
    std::string log;

    simulate([&]() -> Co<> {
        co_await with(Noted{log, "a"}, [&](Noted&) -> Co<> {
            co_await with(Noted{log, "b"}, [&](Noted&) -> Co<> {
                log += "body ";
                co_return;
            });
        });
    });

    EXPECT_EQ(log, "+a +b body -b -a ");
}

TEST(With, A34ExitsOnCancellationAndIsNotCutShortByASecond) {
    std::string log;

    simulate([&]() -> Co<> {
        Task<> task = create_task([](std::string& out) -> Co<> {
            co_await with(Noted{out, "a", false, 10s}, [](Noted&) -> Co<> { co_await sleep(1h); });
        }(log));
        co_await sleep(5s);
        task.cancel();
        co_await sleep(5s);
        EXPECT_FALSE(task.done());
        task.cancel();
        co_await sleep(4s);
        EXPECT_FALSE(task.done());
        co_await sleep(2s);
        EXPECT_TRUE(task.cancelled());
    });

    EXPECT_EQ(log, "+a -a(cancelled) ");
}

TEST(With, ACancellationDuringTheExitIsThrownAfterIt) {
    std::string log;

    simulate([&]() -> Co<> {
        Task<> task = create_task([](std::string& out) -> Co<> {
            co_await with(Noted{out, "a", false, 10s}, [](Noted&) -> Co<> { co_return; });
            out += "not reached";
        }(log));
        co_await sleep(5s);
        task.cancel();
        co_await sleep(10s);
        EXPECT_TRUE(task.cancelled());
    });

    EXPECT_EQ(log, "+a -a ");
}

TEST(With, TheEndOfTheLoopLetsAnExitFinish) {
    std::string log;

    simulate([&]() -> Co<> {
        static_cast<void>(create_task([](std::string& out) -> Co<> {
            co_await with(Noted{out, "a", false, 10s}, [](Noted&) -> Co<> { co_return; });
        }(log)));
        co_await sleep(5s);
    });

    EXPECT_EQ(log, "+a -a ");
}

TEST(With, GivesTheBodyWhatAenterGives) {
    simulate([]() -> Co<> {
        const int value =
            co_await with(Opener(), [](int& entered) -> Co<int> { co_return entered + 1; });
        EXPECT_EQ(value, 43);
    });
}

TEST(With, AwaitsAManagerThatHasToBeWaitedFor) {
    std::string log;

    simulate([&]() -> Co<> {
        co_await with(make_noted(log), [](Noted& noted) -> Co<> {
            noted.log += "body ";
            co_return;
        });
        EXPECT_EQ(elapsed(), 3s);
    });

    EXPECT_EQ(log, "+made body -made ");
}

TEST(With, AGuardIsHeldForTheBody) {
    simulate([]() -> Co<> {
        Lock lock;
        co_await with(lock.acquire(), [&](Lock::Guard&) -> Co<> {
            EXPECT_TRUE(lock.locked());
            co_return;
        });
        EXPECT_FALSE(lock.locked());
    });
}

TEST(With, A34ATimeoutEndsTheBlockInTimeoutErrorBesideIt) {
    simulate([]() -> Co<> {
        bool timed_out = false;
        try {
            co_await with(timeout(3s), [](Timeout&) -> Co<> { co_await sleep(1h); });
        } catch (const TimeoutError&) {
            timed_out = true;
        }
        EXPECT_TRUE(timed_out);
        EXPECT_EQ(elapsed(), 3s);
        EXPECT_EQ(current_task()->cancelling(), 0);

        const int value = co_await with(timeout(3s), [](Timeout& deadline) -> Co<int> {
            deadline.reschedule(1h);
            co_await sleep(10s);
            co_return 5;
        });
        EXPECT_EQ(value, 5);
    });
}

TEST(AsyncExitStack, RunsExitsInReverseOrder) {
    std::string log;

    simulate([&]() -> Co<> {
        co_await with(AsyncExitStack(), [&](AsyncExitStack& stack) -> Co<> {
            stack.callback([&] { log += "-first "; });
            Noted& noted = co_await stack.enter(Noted{log, "a"});
            EXPECT_EQ(noted.name, "a");
            stack.push_async_callback([&]() -> Co<> {
                co_await sleep(1s);
                log += "-last ";
            });
            EXPECT_EQ(stack.size(), 3u);
        });
    });

    EXPECT_EQ(log, "+a -last -a -first ");
}

TEST(AsyncExitStack, AnExitMaySwallowOrReplaceTheException) {
    std::string log;

    simulate([&]() -> Co<> {
        co_await with(AsyncExitStack(), [&](AsyncExitStack& stack) -> Co<> {
            co_await stack.enter(Noted{log, "outer", true});
            stack.push([](std::exception_ptr) -> Co<bool> {
                throw Error("replaced");
                co_return false;
            });
            co_await stack.enter(Noted{log, "inner"});
            throw Error("boom");
        });
    });

    EXPECT_EQ(log, "+outer +inner -inner(boom) -outer(replaced) ");
}

TEST(AsyncExitStack, AcloseRunsWhatPopAllMoved) {
    std::string log;

    simulate([&]() -> Co<> {
        AsyncExitStack kept;
        co_await with(AsyncExitStack(), [&](AsyncExitStack& stack) -> Co<> {
            co_await stack.enter(Noted{log, "a"});
            kept = stack.pop_all();
        });
        EXPECT_EQ(log, "+a ");
        co_await kept.aclose();
    });

    EXPECT_EQ(log, "+a -a ");
}

TEST(Aclosing, A36WaitsForTheCleanUpOfAGeneratorLeftEarly) {
    std::string log;

    simulate([&]() -> Co<> {
        co_await aclosing(cleaning(log), [](AsyncGenerator<int>& numbers) -> Co<> {
            while (auto number = co_await numbers.next()) {
                if (*number == 3) break;
            }
        });
        EXPECT_EQ(elapsed(), 1s);
    });

    EXPECT_EQ(log, "cleaned");
}

TEST(Aclosing, CleansUpWhenTheBodyFailsToo) {
    std::string log;

    simulate([&]() -> Co<> {
        const bool has_failed = co_await throws<Error>(
            aclosing(cleaning(log), [](AsyncGenerator<int>& numbers) -> Co<> {
                co_await numbers.next();
                throw Error("boom");
            }));
        EXPECT_TRUE(has_failed);
    });

    EXPECT_EQ(log, "cleaned");
}

}  // namespace weft::aio
