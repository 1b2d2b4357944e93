#pragma once

#include <functional>
#include <optional>

#include "aio/loop/loop.h"
#include "support/forwarding_selector.h"

namespace weft::tests {

// Another selector, which strikes once: `rounds` rounds of the loop after its `nth` select. So a
// test reaches every moment of a program: those at which all wait (round 0 comes before anyone who
// was woken has run), and those between.
class CancellingSelector final : public ForwardingSelector {
public:
    CancellingSelector(aio::Selector& inner, std::size_t nth, std::size_t rounds)
        : ForwardingSelector(inner), nth_(nth), rounds_(rounds) {}

    // What is done at that moment; asked for before the loop runs.
    void at_the_moment(aio::EventLoop& loop, std::function<void()> strike) {
        loop_ = &loop;
        strike_ = std::move(strike);
    }

    enum class Strike {
        none,      // The program ended before.
        between,   // Between the two selects it was meant for.
        too_late,  // After the next select: there are not so many rounds between them.
    };
    Strike strike() const { return struck_; }

    void select(std::optional<Duration> timeout) override {
        ForwardingSelector::select(timeout);
        if (loop_ && count_++ == nth_) count_down();
    }

private:
    void count_down() {
        loop_->call_soon([this] {
            if (rounds_-- > 0) {
                count_down();
            } else {
                struck_ = count_ == nth_ + 1 ? Strike::between : Strike::too_late;
                strike_();
            }
        });
    }

    std::size_t nth_;
    std::size_t rounds_;
    std::size_t count_ = 0;
    aio::EventLoop* loop_ = nullptr;
    std::function<void()> strike_;
    Strike struck_ = Strike::none;
};

}  // namespace weft::tests
