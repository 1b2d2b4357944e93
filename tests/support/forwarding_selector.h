#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <utility>

#include "aio/loop/selector.h"

namespace weft::tests {

// Another selector, whole: for those that differ from it in one thing.
class ForwardingSelector : public aio::Selector {
public:
    explicit ForwardingSelector(aio::Selector& inner) : inner_(inner) {}
    explicit ForwardingSelector(std::unique_ptr<aio::Selector> inner)
        : owned_(std::move(inner)), inner_(*owned_) {}

    std::string_view name() const override { return inner_.name(); }
    bool is_edge_triggered() const override { return inner_.is_edge_triggered(); }
    void add(int fd, aio::Interest interest, aio::IoHandler& handler) override {
        inner_.add(fd, interest, handler);
    }
    void modify(int fd, aio::Interest interest) override { inner_.modify(fd, interest); }
    void remove(int fd) noexcept override { inner_.remove(fd); }
    void wake() noexcept override { inner_.wake(); }
    void select(std::optional<Duration> timeout) override { inner_.select(timeout); }

private:
    std::unique_ptr<aio::Selector> owned_;
    aio::Selector& inner_;
};

}  // namespace weft::tests
