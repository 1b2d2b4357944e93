#pragma once

#include <cstddef>
#include <exception>
#include <memory>
#include <mutex>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "aio/loop/loop.h"
#include "aio/sync/event.h"
#include "aio/sync/mailbox.h"
#include "aio/task/co.h"
#include "aio/task/task.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// What a shard asks of the frontier: a host's counts by its name.
using Wish = std::variant<Completion, HostChange, std::string, std::vector<Candidate>>;

struct Reply {
    std::size_t new_count = 0;
    HostCounts counts;
};

class ErrandLine;

// A wish on its way to the home loop, and whoever waits for its answer.
class Errand {
public:
    Errand(ErrandLine& line, Wish wish) : line_(line), wish_(std::move(wish)) {}

    // On the home loop: take(), then finish().
    Wish take() { return std::move(wish_); }
    static void finish(std::shared_ptr<Errand> errand, const Reply& answer,
                       std::exception_ptr error);

private:
    friend class ErrandLine;

    ErrandLine& line_;
    Wish wish_;
    Reply answer_;
    std::exception_ptr error_;
    std::optional<aio::Future<>> awaited_;  // The shard's; empty when nobody waits.
};

using ErrandMail = aio::Mailbox<std::shared_ptr<Errand>>;

// Carries the wishes of one shard home, and the answers back: those of one commit together, by one
// lock and one wake.
class ErrandLine {
public:
    explicit ErrandLine(ErrandMail& home) : home_(home) {}
    ErrandLine(const ErrandLine&) = delete;
    ErrandLine& operator=(const ErrandLine&) = delete;

    // On the shard's loop. Cancelled, a wish that has left is granted all the same.
    aio::Co<Reply> ask(Wish wish);

    // On the home loop, until cancelled.
    aio::Co<> carry_answers();

private:
    friend class Errand;
    using Batch = std::vector<std::shared_ptr<Errand>>;
    class Wait;

    void give(Batch batch);

    ErrandMail& home_;
    Batch answered_;  // The home loop's, as is the next.
    aio::Event has_answered_;

    std::mutex mutex_;
    std::size_t waiting_count_ = 0;   // While somebody waits,
    aio::EventLoop* loop_ = nullptr;  // the shard's loop lives.
};

}  // namespace weft::frontier
