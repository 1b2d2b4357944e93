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
#include "frontier/bench/receipt.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// A request of a shard to the frontier. A string is the name of a host whose counts are wanted;
// candidates are for push().
using ShardRequest = std::variant<Completion, HostChange, std::string, std::vector<Candidate>>;

class RequestPort;

// One request on its way from a shard to the home loop, and the task that waits for its answer.
//
// Shared by the shard and the home loop. The home loop writes the answer before it hands the
// pending back through the shard's loop, so the fields need no lock. `awaited_` is used on the
// shard's loop only.
class PendingRequest {
public:
    PendingRequest(RequestPort& line, ShardRequest request)
        : line_(line), request_(std::move(request)) {}

    // Called on the home loop: first take(), later finish().
    ShardRequest take() { return std::move(request_); }
    static void finish(std::shared_ptr<PendingRequest> pending, const Answer& answer,
                       std::exception_ptr error);

private:
    friend class RequestPort;

    RequestPort& line_;
    ShardRequest request_;
    Answer answer_;
    std::exception_ptr error_;
    std::optional<aio::Future<>> awaited_;  // Of the shard; empty if no task waits.
};

using RequestMail = aio::Mailbox<std::shared_ptr<PendingRequest>>;

// Carries the requests of one shard to the home loop, and the answers back. The answers of one
// commit travel together, with one lock and one wake-up.
//
// Owned by the ShardedFrontier, and outlives both loops' use of it.
class RequestPort {
public:
    explicit RequestPort(RequestMail& home) : home_(home) {}
    RequestPort(const RequestPort&) = delete;
    RequestPort& operator=(const RequestPort&) = delete;

    // Called on the shard's loop. The shard's loop resumes it when the home loop has answered; an
    // error of the frontier is rethrown here. If it is cancelled after the request was sent, the
    // request is carried out all the same, and its answer is dropped.
    aio::Co<Answer> ask(ShardRequest request);

    // Runs on the home loop until it is cancelled.
    aio::Co<> carry_answers();

private:
    friend class PendingRequest;
    using Batch = std::vector<std::shared_ptr<PendingRequest>>;
    class Wait;

    void give(Batch batch);

    RequestMail& home_;
    Batch answered_;  // Used on the home loop only, as is `has_answered_`.
    aio::Event has_answered_;

    // Protects the two members below.
    std::mutex mutex_;
    std::size_t waiting_count_ = 0;   // While this is not 0,
    aio::EventLoop* loop_ = nullptr;  // the shard's loop is alive.
};

}  // namespace weft::frontier
