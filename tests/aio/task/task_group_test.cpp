#include "aio/task/task_group.h"

#include <gtest/gtest.h>

#include "aio/sync/timeout.h"
#include "aio/task/sleep.h"
#include "support/simulate.h"

// What asyncio promises of TaskGroup, in virtual time.
namespace weft::aio {
namespace {

Co<> sleep_for(Duration duration) {
    co_await sleep(duration);
}

Co<int> value_after(Duration duration, int value) {
    co_await sleep(duration);
    co_return value;
}

Co<> fail_after(Duration duration, std::string what) {
    co_await sleep(duration);
    throw Error(what);
}

// Fails while it is being cancelled.
Co<> fail_when_cancelled(std::string what) {
    try {
        co_await sleep(1h);
    } catch (const CancelledError&) {
        throw Error(what);
    }
}

// Takes its time to end when cancelled.
Co<> end_slowly(Duration duration) {
    bool was_cancelled = false;
    try {
        co_await sleep(1h);
    } catch (const CancelledError&) {
        was_cancelled = true;
    }
    if (was_cancelled) co_await sleep(duration);
    throw CancelledError();
}

// The messages of the group that `co` throws.
Co<std::vector<std::string>> errors_of(Co<> co) {
    std::vector<std::string> messages;
    try {
        co_await std::move(co);
    } catch (const ExceptionGroup& group) {
        for (const std::exception_ptr& error : group.exceptions()) {
            messages.push_back(describe(error));
        }
    }
    co_return messages;
}

using Messages = std::vector<std::string>;

}  // namespace

TEST(TaskGroup, GivesTheBodysValueAndKeepsTheTasksResults) {
    simulate([]() -> Co<> {
        Task<int> task;
        const int value = co_await task_group([&](TaskGroup& group) -> Co<int> {
            task = group.create_task(value_after(5s, 42));
            co_return 11;
        });
        EXPECT_EQ(value, 11);
        EXPECT_EQ(task.result(), 42);
        EXPECT_EQ(elapsed(), 5s);
    });
}

TEST(TaskGroup, ATaskMayAddTasks) {
    simulate([]() -> Co<> {
        int done = 0;
        co_await task_group([&](TaskGroup& group) -> Co<> {
            const auto spawn = [](TaskGroup& in, int depth, int& count, const auto& self) -> Co<> {
                co_await sleep(1s);
                ++count;
                if (depth > 0) in.create_task(self(in, depth - 1, count, self));
            };
            group.create_task(spawn(group, 4, done, spawn));
            co_await sleep(10s);
        });
        EXPECT_EQ(done, 5);
    });
}

TEST(TaskGroup, CollectsTheErrorsOfThoseThatFailWhileEnding) {
    simulate([]() -> Co<> {
        const Messages errors = co_await errors_of(task_group([](TaskGroup& group) -> Co<> {
            group.create_task(fail_after(1s, "first"));
            group.create_task(fail_when_cancelled("second"));
            group.create_task(sleep_for(1h));
            co_return;
        }));
        EXPECT_EQ(errors, (Messages{"first", "second"}));
    });
}

TEST(TaskGroup, TheBodysErrorIsTheLastOfTheGroup) {
    simulate([]() -> Co<> {
        const Messages errors = co_await errors_of(task_group([](TaskGroup& group) -> Co<> {
            group.create_task(fail_when_cancelled("task"));
            co_await sleep(1s);
            throw Error("body");
        }));
        EXPECT_EQ(errors, (Messages{"task", "body"}));
        EXPECT_EQ(elapsed(), 1s);
        EXPECT_EQ(current_task()->cancelling(), 0);
    });
}

TEST(TaskGroup, ATaskThatIsCancelledAloneIsNoFailure) {
    simulate([]() -> Co<> {
        co_await task_group([](TaskGroup& group) -> Co<> {
            Task<> cancelled = group.create_task(sleep_for(1h));
            group.create_task(sleep_for(5s));
            co_await sleep(1s);
            cancelled.cancel();
        });
        EXPECT_EQ(elapsed(), 5s);
    });
}

TEST(TaskGroup, ACancellationOfTheBodysTaskEndsAllAndGoesOn) {
    simulate([]() -> Co<> {
        Task<> member;
        Task<> outer = create_task([](Task<>& in) -> Co<> {
            // tidy: allow task-lambda: task_group() keeps it
            co_await task_group([&](TaskGroup& group) -> Co<> {
                in = group.create_task(end_slowly(3s));
                co_await sleep(2h);
            });
        }(member));
        co_await sleep(1s);
        outer.cancel();
        co_await sleep(1s);
        EXPECT_FALSE(outer.done());
        co_await sleep(3s);
        EXPECT_TRUE(member.cancelled());
        EXPECT_TRUE(outer.cancelled());
    });
}

TEST(TaskGroup, ACancellationWhileItEndsIsNotLost) {
    simulate([]() -> Co<> {
        Task<> outer = create_task([]() -> Co<> {
            co_await task_group([](TaskGroup& group) -> Co<> {
                group.create_task(end_slowly(10s));
                co_await sleep(1s);
                group.cancel();  // On purpose: the group itself would end well.
            });
        }());
        co_await sleep(5s);
        outer.cancel();
        co_await sleep(10s);
        EXPECT_TRUE(outer.cancelled());
    });
}

TEST(TaskGroup, AnErrorAndAnOuterCancellationThrowTheErrorThenTheCancellation) {
    simulate([]() -> Co<> {
        Messages errors;
        bool went_on = false;
        Task<> outer = create_task([](Messages& out, bool& reached) -> Co<> {
            out = co_await errors_of(task_group([](TaskGroup& group) -> Co<> {
                group.create_task(fail_when_cancelled("boom"));
                co_await sleep(2h);
            }));
            co_await sleep(1s);
            reached = true;
        }(errors, went_on));
        co_await sleep(1s);
        outer.cancel();
        co_await sleep(5s);
        EXPECT_EQ(errors, Messages{"boom"});
        EXPECT_FALSE(went_on);
        EXPECT_TRUE(outer.cancelled());
    });
}

TEST(TaskGroup, InAnotherGroupItsErrorIsOneErrorOfTheOuter) {
    simulate([]() -> Co<> {
        const Messages errors = co_await errors_of(task_group([](TaskGroup& outer) -> Co<> {
            outer.create_task(sleep_for(1h));
            co_await task_group([](TaskGroup& inner) -> Co<> {
                inner.create_task(fail_after(1s, "deep"));
                co_await sleep(2h);
            });
        }));
        EXPECT_EQ(errors, Messages{"a task failed: deep"});
        EXPECT_EQ(elapsed(), 1s);
        EXPECT_EQ(current_task()->cancelling(), 0);
    });
}

TEST(TaskGroup, ATaskMadeWhileItEndsIsCancelled) {
    simulate([]() -> Co<> {
        Task<> added;
        const Messages errors = co_await errors_of(task_group([&](TaskGroup& group) -> Co<> {
            group.create_task(fail_after(1s, "boom"));
            try {
                co_await sleep(1h);
            } catch (const CancelledError&) {
                added = group.create_task(sleep_for(1h));
                throw;
            }
        }));
        EXPECT_EQ(errors, Messages{"boom"});
        EXPECT_TRUE(added.cancelled());
        EXPECT_EQ(elapsed(), 1s);
    });
}

TEST(TaskGroup, ABodyThatHasEndedStillFailsWithATask) {
    simulate([]() -> Co<> {
        const Messages errors = co_await errors_of(task_group([](TaskGroup& group) -> Co<> {
            group.create_task(fail_after(2s, "late"));
            group.create_task(sleep_for(1h));
            co_return;
        }));
        EXPECT_EQ(errors, Messages{"late"});
        EXPECT_EQ(elapsed(), 2s);
        co_await sleep(1s);  // No cancellation is left behind.
    });
}

// After group.cancel() the failure of a task left the body waiting for ever.
TEST(TaskGroup, AFailureAfterCancelStillWakesTheBody) {
    simulate([]() -> Co<> {
        std::string errors;
        try {
            co_await task_group([](TaskGroup& group) -> Co<> {
                group.create_task([]() -> Co<> {
                    try {
                        co_await sleep(1h);
                    } catch (const CancelledError&) {
                        throw Error("while it was cancelled");
                    }
                }());
                co_await sleep(1s);
                group.cancel();
                co_await sleep(24h);
            });
        } catch (const ExceptionGroup& group) {
            errors = group.what();
        }
        EXPECT_EQ(errors, "a task failed: while it was cancelled");
        EXPECT_EQ(elapsed(), 1s);
        EXPECT_EQ(current_task()->cancelling(), 0);
    });
}

// The body's error was lost to a cancellation that came while the group waited for its tasks.
TEST(TaskGroup, TheBodysErrorAndACancellationWhileItEndsAreBothThrown) {
    simulate([]() -> Co<> {
        Messages messages;
        bool was_cancelled = false;
        Task<> task = create_task([](Messages& out, bool& cancelled) -> Co<> {
            out = co_await errors_of(task_group([](TaskGroup& group) -> Co<> {
                group.create_task(end_slowly(5s));
                co_await sleep(1s);
                throw Error("the body's");
            }));
            cancelled = co_await throws<CancelledError>(sleep_for(1h));
        }(messages, was_cancelled));
        co_await sleep(2s);
        task.cancel();
        co_await sleep(10s);
        EXPECT_EQ(messages, Messages{"the body's"});
        EXPECT_TRUE(was_cancelled);
    });
}

}  // namespace weft::aio
