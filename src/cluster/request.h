#pragma once

#include <expected>
#include <string>
#include <utility>
#include <vector>

#include "aio/task/co.h"
#include "base/error.h"
#include "redis/cluster.h"

namespace weft::cluster {

// An answer that says that this worker's view of a shard is wrong.
struct Refusal {
    enum class Reason {
        stale,  // The term has ended: another worker owns the shard, or none.
        gap,    // Completions before this one are missing: writes were lost.
    };
    Reason reason;
    std::string text;  // "STALE w2/1 7"
};

template <class T>
using Result = std::expected<T, Refusal>;

// A function answered what its contract does not allow, or the server refused it.
class CallError : public Error {
public:
    using Error::Error;
};

// One call of a function of frontier.lua, and how its answer is read.
template <class T>
struct Request {
    redis::Call call;
    Result<T> (*read)(const redis::Answer& answer);
};

// Calls the function. Throws as redis::Cluster does, and CallError.
template <class T>
aio::Co<Result<T>> send(redis::Cluster& cluster, Request<T> request) {
    const redis::Answer answer = co_await cluster.call(std::move(request.call));
    co_return request.read(answer);
}

// Calls the function for several shards at once: those of one node share a write and a WAIT.
template <class T>
aio::Co<std::vector<Result<T>>> send_all(redis::Cluster& cluster,
                                         std::vector<Request<T>> requests) {
    std::vector<redis::Call> calls;
    for (Request<T>& request : requests) calls.push_back(std::move(request.call));
    const std::vector<redis::Answer> answers = co_await cluster.call_all(std::move(calls));
    std::vector<Result<T>> results;
    for (std::size_t i = 0; i < answers.size(); ++i) {
        results.push_back(requests[i].read(answers[i]));
    }
    co_return results;
}

}  // namespace weft::cluster
