#pragma once

#include <map>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "aio/task/co.h"
#include "aio/task/future.h"
#include "aio/task/task_group.h"
#include "base/clock.h"
#include "cluster/request.h"
#include "redis/cluster.h"

namespace weft::cluster {

// Sends calls to the masters of a cluster. The calls for one master go out together and share one
// WAIT, which blocks the connection; while they are under way, the next ones gather. Masters do not
// wait for each other: if one is down, its calls wait and the others go on.
//
// On one loop's thread. `cluster` outlives it; `group` outlives its calls, and fails if a call
// does.
class Sender {
public:
    Sender(redis::Cluster& cluster, aio::TaskGroup& group) : cluster_(cluster), group_(group) {}

    // Throws as redis::Cluster does, and CallError. A cancelled call may have been done or not.
    template <class T>
    aio::Co<Result<T>> send(Request<T> request) {
        const redis::Answer answer = co_await post(std::move(request.call));
        co_return request.read(answer);
    }

    aio::Co<redis::Answer> post(redis::Call call);

    // How long the oldest group of calls has been under way; zero if none is.
    Duration longest_wait() const;

private:
    struct Waiting {
        redis::Call call;
        aio::Future<redis::Answer> answer;
    };
    struct Line {
        std::vector<Waiting> waiting = {};
        std::optional<TimePoint> sent_at = {};  // Nothing: none is under way.
    };

    aio::Co<> drain(Line& line);

    redis::Cluster& cluster_;
    aio::TaskGroup& group_;
    std::map<redis::Node, std::unique_ptr<Line>> lines_;
};

}  // namespace weft::cluster
