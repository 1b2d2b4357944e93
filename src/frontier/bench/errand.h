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

// A request of a shard to the frontier. A string is the name of a host whose counts are wanted;
// candidates are for push().
using Wish = std::variant<Completion, HostChange, std::string, std::vector<Candidate>>;

// The reply to any Wish; only the field that fits the request is set.
struct Reply {
    std::size_t new_count = 0;
    HostCounts counts;
};

class ErrandLine;

// One request on its way from a shard to the home loop, and the task that waits for its reply.
//
// Shared by the shard and the home loop. The home loop writes the reply before it hands the errand
// back through the shard's loop, so the fields need no lock. `awaited_` is used on the shard's loop
// only.
class Errand {
public:
    Errand(ErrandLine& line, Wish wish) : line_(line), wish_(std::move(wish)) {}

    // Called on the home loop: first take(), later finish().
    Wish take() { return std::move(wish_); }
    static void finish(std::shared_ptr<Errand> errand, const Reply& answer,
                       std::exception_ptr error);

private:
    friend class ErrandLine;

    ErrandLine& line_;
    Wish wish_;
    Reply answer_;
    std::exception_ptr error_;
    std::optional<aio::Future<>> awaited_;  // Of the shard; empty if no task waits.
};

using ErrandMail = aio::Mailbox<std::shared_ptr<Errand>>;

// Carries the requests of one shard to the home loop, and the replies back. The replies of one
// commit travel together, with one lock and one wake-up.
//
// Owned by the ShardedFrontier, and outlives both loops' use of it.
class ErrandLine {
public:
    explicit ErrandLine(ErrandMail& home) : home_(home) {}
    ErrandLine(const ErrandLine&) = delete;
    ErrandLine& operator=(const ErrandLine&) = delete;

    // Called on the shard's loop. The shard's loop resumes it when the home loop has replied; an
    // error of the frontier is rethrown here. If it is cancelled after the request was sent, the
    // request is carried out all the same, and its reply is dropped.
    aio::Co<Reply> ask(Wish wish);

    // Runs on the home loop until it is cancelled.
    aio::Co<> carry_answers();

private:
    friend class Errand;
    using Batch = std::vector<std::shared_ptr<Errand>>;
    class Wait;

    void give(Batch batch);

    ErrandMail& home_;
    Batch answered_;  // Used on the home loop only, as is `has_answered_`.
    aio::Event has_answered_;

    // Protects the two members below.
    std::mutex mutex_;
    std::size_t waiting_count_ = 0;   // While this is not 0,
    aio::EventLoop* loop_ = nullptr;  // the shard's loop is alive.
};

}  // namespace weft::frontier
