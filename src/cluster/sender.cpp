#include "cluster/sender.h"

#include <algorithm>

#include "aio/loop/loop.h"

namespace weft::cluster {

using aio::Co;

Co<redis::Answer> Sender::post(redis::Call call) {
    if (!cluster_.slots()) co_await cluster_.connect();
    const redis::Node* master = cluster_.slots()->master_of(call.slot);
    std::unique_ptr<Line>& line = lines_[master ? *master : redis::Node()];
    if (!line) line = std::make_unique<Line>();
    auto answer = aio::create_future<redis::Answer>();
    line->waiting.push_back({std::move(call), answer});
    if (!line->sent_at) {
        line->sent_at = aio::EventLoop::running().time();
        group_.create_task(drain(*line), "redis calls");
    }
    co_return co_await answer;
}

// Begins after the tasks that are ready now, so that what they send goes out together.
Co<> Sender::drain(Line& line) {
    while (!line.waiting.empty()) {
        std::vector<Waiting> group = std::exchange(line.waiting, {});
        std::vector<redis::Call> calls;
        for (Waiting& each : group) calls.push_back(std::move(each.call));
        line.sent_at = aio::EventLoop::running().time();
        std::vector<redis::Answer> answers = co_await cluster_.call_all(std::move(calls));
        for (std::size_t i = 0; i < group.size(); ++i) {
            // A caller that was cancelled has cancelled its future.
            if (!group[i].answer.done()) group[i].answer.set_result(std::move(answers[i]));
        }
    }
    line.sent_at.reset();
}

Duration Sender::longest_wait() const {
    const TimePoint now = aio::EventLoop::running().time();
    Duration longest{};
    for (const auto& [node, line] : lines_) {
        if (line->sent_at) longest = std::max(longest, now - *line->sent_at);
    }
    return longest;
}

}  // namespace weft::cluster
