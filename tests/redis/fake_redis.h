#pragma once

#include <charconv>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/net/server.h"
#include "aio/net/stream.h"
#include "aio/simulated/simulation.h"
#include "redis/node.h"

namespace weft::redis {

// Replies as bytes.
inline std::string bulk(std::string_view text) {
    return fmt::format("${}\r\n{}\r\n", text.size(), text);
}
inline std::string array(const std::vector<std::string>& elements) {
    std::string bytes = fmt::format("*{}\r\n", elements.size());
    for (const std::string& element : elements) bytes += element;
    return bytes;
}
inline std::string number(long long value) {
    return fmt::format(":{}\r\n", value);
}

using Arguments = std::vector<std::string>;

// A server of the simulated network that answers each command as the test says: with any bytes, or
// with nothing. An empty answer closes the connection.
class FakeRedis {
public:
    using Responder = std::function<std::optional<std::string>(const Arguments&)>;

    FakeRedis(aio::SimulatedLoop& loop, std::string host, Responder responder)
        : node_{.host = host},
          state_(std::make_shared<State>(std::move(responder))),
          server_(loop.network().listen(host, node_.port),
                  [state = state_](aio::Stream stream) -> aio::Co<> {
                      co_await serve(state, std::move(stream));
                  },
                  {}) {}

    const Node& node() const { return node_; }
    std::size_t connection_count() const { return state_->connection_count; }

    // The commands in the order of their arrival, with their arguments.
    const std::vector<Arguments>& heard() const { return state_->heard; }
    std::size_t count(std::string_view name) const {
        std::size_t found = 0;
        for (const Arguments& command : state_->heard) found += command.front() == name ? 1 : 0;
        return found;
    }

    // The part of CLUSTER SLOTS that gives this server a range.
    std::string range(int first, int last, int replicas = 0) const {
        std::vector<std::string> parts = {number(first), number(last), address()};
        for (int i = 0; i < replicas; ++i) parts.push_back(array({bulk("r.test"), number(1)}));
        return array(parts);
    }

private:
    struct State {
        Responder responder;
        std::size_t connection_count = 0;
        std::vector<Arguments> heard = {};
    };

    std::string address() const {
        return array({bulk(node_.host), number(node_.port), bulk("id")});
    }

    // Of a line such as "*3" or "$12".
    static std::size_t count_in(std::string_view line) {
        std::size_t count = 0;
        std::from_chars(line.data() + 1, line.data() + line.size(), count);
        return count;
    }

    static aio::Co<Arguments> read_command(aio::Stream& stream) {
        Arguments arguments;
        const std::string head = co_await stream.readuntil("\r\n", 64);
        for (std::size_t left = count_in(head); left > 0; --left) {
            const std::string size = co_await stream.readuntil("\r\n", 64);
            std::string bytes = co_await stream.readexactly(count_in(size) + 2);
            bytes.resize(bytes.size() - 2);
            arguments.push_back(std::move(bytes));
        }
        co_return arguments;
    }

    static aio::Co<> serve(std::shared_ptr<State> state, aio::Stream stream) {
        ++state->connection_count;
        while (true) {
            if (stream.buffered().empty()) {
                const bool has_more = co_await stream.fill();
                if (!has_more) co_return;
            }
            Arguments command = co_await read_command(stream);
            state->heard.push_back(command);
            const std::optional<std::string> answer = state->responder(command);
            if (!answer) continue;
            if (answer->empty()) co_return;
            co_await stream.write(*answer);
        }
    }

    Node node_;
    std::shared_ptr<State> state_;
    aio::Server server_;
};

}  // namespace weft::redis
