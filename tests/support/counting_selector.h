#pragma once

#include <string_view>
#include <utility>

#include <gtest/gtest.h>

#include "aio/loop/loop.h"
#include "aio/loop/run.h"
#include "aio/loop/selector.h"
#include "support/forwarding_selector.h"

namespace weft::tests {

// Another selector, of which it counts how often it came back.
class CountingSelector final : public ForwardingSelector {
public:
    explicit CountingSelector(std::string_view name)
        : ForwardingSelector(aio::make_selector(name)) {}

    void select(std::optional<Duration> timeout) override {
        ForwardingSelector::select(timeout);
        ++returns;
    }

    std::size_t returns = 0;
};

// A test with the name of a selector as its parameter; skipped where the system lacks it.
class OnEachSelector : public testing::TestWithParam<const char*> {
protected:
    void SetUp() override {
        try {
            selector = aio::make_selector(GetParam());
        } catch (const UsageError& error) {
            GTEST_SKIP() << error.what();
        }
    }
    std::unique_ptr<aio::Selector> selector;
};

// Makes a suite for TEST_P() that runs on every selector.
#define WEFT_ON_EACH_SELECTOR(Suite)                                                             \
    class Suite : public tests::OnEachSelector {};                                               \
    INSTANTIATE_TEST_SUITE_P(All, Suite, testing::Values("epoll", "io_uring", "poll", "select"), \
                             [](const auto& info) { return std::string(info.param); })

// As aio::run(), on this selector.
template <class T>
T run_on_selector(CountingSelector& selector, aio::Co<T> co) {
    const aio::SystemPlatform system;
    aio::Platform platform = system.get();
    platform.selector = &selector;
    aio::EventLoop loop(platform);
    return aio::run_on(loop, std::move(co));
}

template <class T>
T run_on_selector(std::string_view name, aio::Co<T> co) {
    CountingSelector selector(name);
    return run_on_selector(selector, std::move(co));
}

}  // namespace weft::tests
