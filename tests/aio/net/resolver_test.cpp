#include <gtest/gtest.h>

#include "aio/net/ares_resolver.h"
#include "aio/net/caching_resolver.h"
#include "aio/simulated/simulation.h"
#include "aio/task/errors.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "support/counting_selector.h"
#include "support/dns_stub.h"

namespace weft::aio {
namespace {

using tests::DnsAnswer;
using tests::DnsStub;
using tests::run_on_selector;

const IpAddress kFour = IpAddress::v4({192, 0, 2, 1});
const IpAddress kSix = *IpAddress::parse("2001:db8::1");

struct Asked {
    std::vector<IpAddress> addresses;
    Duration time_to_live{};
    std::string what;  // Of the failure.
    bool temporary = false;
    std::size_t question_count = 0;
    std::size_t tcp_count = 0;
};

Co<Asked> ask_for(DnsAnswer answer, std::string name) {
    DnsStub stub;
    stub[name] = std::move(answer);
    Asked asked;
    co_await task_group([&](TaskGroup& group) -> Co<> {
        const Task<> serving = group.create_task(stub.serve());
        const auto resolver =
            make_ares_resolver({.servers = stub.servers(), .query_timeout = 30ms});
        try {
            Resolution found = co_await resolver->resolve(name);
            asked.addresses = std::move(found.addresses);
            asked.time_to_live = found.time_to_live;
        } catch (const ResolveError& error) {
            asked.what = error.what();
            asked.temporary = error.is_temporary();
        }
        serving.cancel();
    });
    asked.question_count = stub.question_count(name);
    asked.tcp_count = stub.tcp_count();
    co_return asked;
}

Asked ask(DnsAnswer answer) {
    return run(ask_for(std::move(answer), "name.test"));
}

// Answers after 10 ms and counts the questions.
class SlowResolver final : public Resolver {
public:
    SlowResolver(std::size_t& count, Duration time_to_live)
        : count_(count), time_to_live_(time_to_live) {}

    Co<Resolution> resolve(std::string host) override {
        ++count_;
        co_await sleep(10ms);
        if (host == "missing.test") throw ResolveError("no address for missing.test", false);
        co_return Resolution{{kFour}, time_to_live_};
    }

private:
    std::size_t& count_;
    Duration time_to_live_;
};

// How often a resolver with this lifetime is asked when the same name is wanted at these times.
std::size_t questions(Duration time_to_live, std::string name, std::vector<Duration> pauses) {
    std::size_t count = 0;
    SimulatedLoop loop;
    loop.run([](std::size_t& asked, Duration lifetime, std::string host,
                std::vector<Duration> between) -> Co<> {
        const auto resolver =
            make_caching_resolver(std::make_unique<SlowResolver>(asked, lifetime));
        for (const Duration pause : between) {
            co_await sleep(pause);
            try {
                co_await resolver->resolve(host);
            } catch (const ResolveError&) {
            }
        }
    }(count, time_to_live, std::move(name), std::move(pauses)));
    return count;
}

}  // namespace

TEST(AresResolver, GivesTheAddressesOfBothFamilies) {
    for (const char* selector : {"epoll", "poll", "select"}) {
        const Asked asked =
            run_on_selector(selector, ask_for({.addresses = {kFour, kSix}}, "name.test"));

        EXPECT_EQ(asked.addresses.size(), 2u) << asked.what;
        EXPECT_EQ(std::ranges::count(asked.addresses, kFour), 1);
        EXPECT_EQ(std::ranges::count(asked.addresses, kSix), 1);
        EXPECT_EQ(asked.time_to_live, 60s);
        EXPECT_EQ(asked.question_count, 2u);
    }
}

TEST(AresResolver, H11ANameThatIsNotThereIsFinal) {
    const Asked none = ask({.code = 3});
    EXPECT_FALSE(none.what.empty());
    EXPECT_FALSE(none.temporary) << none.what;

    const Asked no_data = ask({});
    EXPECT_FALSE(no_data.what.empty());
    EXPECT_FALSE(no_data.temporary) << no_data.what;
}

TEST(AresResolver, H12AFailingServerIsTemporary) {
    EXPECT_TRUE(ask({.code = 2}).temporary);
    EXPECT_TRUE(ask({.code = 5}).temporary);
}

TEST(AresResolver, H12ASilentServerIsAskedTwiceAndGivenUp) {
    const Asked asked = ask({.dropped = true});

    EXPECT_TRUE(asked.temporary) << asked.what;
    EXPECT_LE(asked.question_count, 4u);  // Two families.
}

TEST(AresResolver, H13AliasesAreFollowedAndALoopEnds) {
    const Asked followed = ask({.addresses = {kFour}, .aliases = {"other.test", "third.test"}});
    EXPECT_EQ(followed.addresses, std::vector{kFour}) << followed.what;

    const Asked loop = ask({.aliases = {"other.test", "name.test", "other.test", "name.test"}});
    EXPECT_FALSE(loop.what.empty());
}

TEST(AresResolver, H14ATruncatedAnswerIsAskedForByTcp) {
    const Asked asked = ask({.addresses = {kFour, kSix}, .tcp_only = true});

    EXPECT_EQ(asked.addresses.size(), 2u) << asked.what;
    EXPECT_EQ(asked.tcp_count, 2u);
}

TEST(AresResolver, H14GarbageIsAFailureNotACrash) {
    using namespace std::string_literals;
    const std::string flags = "\x81\x80"s;
    const std::vector<std::string> garbage{
        flags, flags + "\xff\xff\xff\xff\xff\xff\xff\xff"s,
        flags + "\0\1\0\1\0\0\0\0\xc0\x0c\0\1\0\1\xc0\x0c\0\1\0\1\0\0\0\1\0\4\1\2\3\4"s,
        flags + "\0\1\0\1\0\0\0\0\4name\4test\0\0\1\0\1\xc0\x0c\0\1\0\1\0\0\0\1\xff\xff\1"s,
        std::string(500, '\xff')};
    for (const std::string& raw : garbage) {
        const Asked asked = ask({.raw = raw});
        EXPECT_TRUE(asked.addresses.empty());
        EXPECT_FALSE(asked.what.empty());
    }
}

TEST(AresResolver, H16OfAThousandAddressesSixteenAreKept) {
    DnsAnswer answer{.tcp_only = true};
    for (int i = 0; i < 1000; ++i) {
        answer.addresses.push_back(IpAddress::v4(
            {198, 51, static_cast<std::uint8_t>(i >> 8), static_cast<std::uint8_t>(i)}));
    }

    EXPECT_EQ(ask(answer).addresses.size(), 16u);
}

TEST(AresResolver, A40ACancelledQuestionLeavesNothingBehind) {
    run([]() -> Co<> {
        DnsStub stub;
        stub["name.test"] = {.dropped = true};
        const auto resolver = make_ares_resolver({.servers = stub.servers()});
        const Task<Resolution> asking = create_task(resolver->resolve("name.test"));
        co_await sleep(1ms);

        asking.cancel();
        co_await sleep(1ms);

        EXPECT_TRUE(asking.cancelled());
    }());
}

TEST(CachingResolver, H16LifetimesAreClamped) {
    EXPECT_EQ(questions(0s, "name.test", {0s, 29s}), 1u);  // At least 30 s.
    EXPECT_EQ(questions(0s, "name.test", {0s, 31s}), 2u);
    EXPECT_EQ(questions(60s, "name.test", {0s, 59s}), 1u);
    EXPECT_EQ(questions(60s, "name.test", {0s, 61s}), 2u);
    EXPECT_EQ(questions(std::chrono::seconds(0x7fff'ffff), "name.test", {0s, 23h}), 1u);
    EXPECT_EQ(questions(std::chrono::seconds(0x7fff'ffff), "name.test", {0s, 25h}), 2u);
}

TEST(CachingResolver, H11ANoIsRememberedForAShortTime) {
    EXPECT_EQ(questions(1h, "missing.test", {0s, 10s, 10s}), 1u);
    EXPECT_EQ(questions(1h, "missing.test", {0s, 31s}), 2u);
}

TEST(CachingResolver, ANameBeingAskedIsAskedOnce) {
    std::size_t count = 0;
    SimulatedLoop loop;
    loop.run([](std::size_t& asked) -> Co<> {
        const auto resolver = make_caching_resolver(std::make_unique<SlowResolver>(asked, 60s));
        std::vector<Co<Resolution>> all;
        for (int i = 0; i < 100; ++i) all.push_back(resolver->resolve("name.test"));
        const std::vector<Resolution> found = co_await gather(std::move(all));
        EXPECT_EQ(found.size(), 100u);
    }(count));

    EXPECT_EQ(count, 1u);
}

TEST(CachingResolver, AnImpatientAskerDoesNotEndTheQuestionOfTheOthers) {
    std::size_t count = 0;
    SimulatedLoop loop;
    loop.run([](std::size_t& asked) -> Co<> {
        const auto resolver = make_caching_resolver(std::make_unique<SlowResolver>(asked, 60s));
        const Task<Resolution> first = create_task(resolver->resolve("name.test"));
        const Task<Resolution> second = create_task(resolver->resolve("name.test"));
        co_await sleep(1ms);

        first.cancel();
        const Resolution found = co_await second;

        EXPECT_EQ(found.addresses, std::vector{kFour});
    }(count));

    EXPECT_EQ(count, 1u);
}

TEST(CachingResolver, TheOldestNamesGoFirst) {
    std::size_t count = 0;
    SimulatedLoop loop;
    loop.run([](std::size_t& asked) -> Co<> {
        const auto resolver = make_caching_resolver(std::make_unique<SlowResolver>(asked, 60s), 2);
        for (const char* name : {"a.test", "b.test", "c.test", "c.test", "b.test", "a.test"}) {
            co_await resolver->resolve(name);
        }
    }(count));

    EXPECT_EQ(count, 4u);  // Only a.test had to be asked again.
}

}  // namespace weft::aio
