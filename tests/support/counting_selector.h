#pragma once

#include <memory>
#include <string>
#include <string_view>
#include <utility>

#include "aio/loop.h"
#include "aio/run.h"
#include "aio/selector.h"

namespace weft::tests {

// Another selector, of which it counts how often it came back.
class CountingSelector final : public aio::Selector {
public:
    explicit CountingSelector(std::string_view name) : inner_(aio::make_selector(name)) {}

    std::string_view name() const override { return inner_->name(); }
    bool is_edge_triggered() const override { return inner_->is_edge_triggered(); }
    void add(int fd, aio::Interest interest, aio::IoHandler& handler) override {
        inner_->add(fd, interest, handler);
    }
    void modify(int fd, aio::Interest interest) override { inner_->modify(fd, interest); }
    void remove(int fd) noexcept override { inner_->remove(fd); }
    void wake() noexcept override { inner_->wake(); }
    void select(std::optional<Duration> timeout) override {
        inner_->select(timeout);
        ++returns;
    }

    std::size_t returns = 0;

private:
    std::unique_ptr<aio::Selector> inner_;
};

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
