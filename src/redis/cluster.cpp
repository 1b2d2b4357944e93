#include "redis/cluster.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "redis/error.h"
#include "redis/remedy.h"

namespace weft::redis {

using aio::Co;

// The connection to one node. Tasks that need it while it is made wait for the one that makes it,
// and share its failure: otherwise each would wait for its own attempt at a dead node.
struct Cluster::Link {
    aio::Lock opening;
    std::shared_ptr<Connection> connection;
    std::uint64_t failure_count = 0;
    std::string failure;
};

// The calls of a round that go to one node.
struct Cluster::Batch {
    Node node;
    std::vector<std::size_t> indexes;
};

// One call_all(): the calls that are still to be done, and what their last try needs before the
// next one.
struct Cluster::Round {
    std::vector<Call>& calls;
    std::vector<Answer> answers;
    std::vector<std::size_t> open;  // Indexes of calls without an answer.

    TimePoint began;
    int try_count = 0;
    std::uint64_t slots_version = 0;      // Of the map that the last try used.
    std::vector<std::size_t> again = {};  // Of the try in progress.
    std::string reason = {};
    bool needs_refresh = false;
    bool needs_pause = false;
    std::optional<Node> knows_slots = {};  // Named by MOVED.
    std::vector<Node> needs_library = {};
};

Cluster::Cluster(std::vector<Node> seeds, ClusterOptions options)
    : seeds_(std::move(seeds)), options_(std::move(options)) {}

Cluster::~Cluster() = default;

Co<std::shared_ptr<Connection>> Cluster::connection_to(Node node) {
    std::shared_ptr<Link>& entry = links_[node];
    if (!entry) entry = std::make_shared<Link>();
    const std::shared_ptr<Link> link = entry;
    if (link->connection && link->connection->is_open()) co_return link->connection;
    const std::uint64_t failures_before = link->failure_count;
    auto guard = co_await link->opening.acquire();
    if (link->connection && link->connection->is_open()) co_return link->connection;
    if (link->failure_count != failures_before) throw ConnectionLost(node, link->failure);
    try {
        link->connection = co_await Connection::open(node, options_.connection);
    } catch (const ConnectionLost& error) {
        ++link->failure_count;
        link->failure = error.what();
        throw;
    }
    co_return link->connection;
}

Co<> Cluster::connect() {
    std::vector<Call> none;
    Round round{
        .calls = none, .answers = {}, .open = {}, .began = aio::EventLoop::running().time()};
    while (!slots_) {
        round.needs_refresh = true;
        co_await mend(round);
        if (!slots_) co_await give_way(round);
    }
    trouble_.reset();
}

// Several tasks find out at the same time that the map is old: one of them asks.
Co<> Cluster::refresh(std::uint64_t seen_version, std::optional<Node> first) {
    auto guard = co_await refreshing_.acquire();
    if (slots_version_ != seen_version) co_return;
    std::vector<Node> nodes;
    if (first) nodes.push_back(*std::move(first));
    const auto add = [&nodes](const Node& node) {
        if (std::ranges::find(nodes, node) == nodes.end()) nodes.push_back(node);
    };
    for (const auto& [node, link] : links_) {  // Those that answered last are likely to live.
        if (link->connection && link->connection->is_open()) add(node);
    }
    for (const Node& seed : seeds_) add(seed);
    if (slots_) std::ranges::for_each(slots_->masters(), add);

    std::string reason;
    for (const Node& node : nodes) {
        try {
            co_await ask_for_slots(node);
            co_return;
        } catch (const ConnectionLost& error) {
            reason = error.what();
        }
    }
    throw Error(reason);
}

Co<> Cluster::ask_for_slots(Node node) {
    const std::shared_ptr<Connection> connection = co_await connection_to(node);
    Command command("CLUSTER");
    command.add("SLOTS");
    const Reply reply = co_await connection->call(std::move(command));
    if (reply.is_error() && reply.text.contains("cluster support disabled")) {
        slots_ = SlotMap::of_one(node);
    } else if (remedy_for(reply, {}) != Remedy::none) {
        throw ConnectionLost(node, reply.text);  // Another node may know.
    } else if (reply.is_error()) {
        throw ServerError(node, reply.text);
    } else {
        auto map = SlotMap::read(reply, node);
        if (!map) throw ConnectionLost(node, map.error());
        if (map->masters().empty()) throw ConnectionLost(node, "it is in no cluster yet");
        slots_ = *std::move(map);
    }
    ++slots_version_;
    std::erase_if(links_, [this](const auto& entry) {
        const auto& masters = slots_->masters();
        return std::ranges::find(masters, entry.first) == masters.end();
    });
}

Co<> Cluster::load_library(Node node) {
    const std::shared_ptr<Connection> connection = co_await connection_to(node);
    Command command("FUNCTION");
    command.add("LOAD").add(options_.library);
    const Reply reply = co_await connection->call(std::move(command));
    // Another worker may have been faster.
    if (!reply.is_error() || reply.text.contains("already exists")) co_return;
    if (remedy_for(reply, {}) != Remedy::none) throw ConnectionLost(node, reply.text);
    throw ServerError(node, reply.text);
}

Co<Answer> Cluster::call(Call call) {
    std::vector<Call> calls;
    calls.push_back(std::move(call));
    std::vector<Answer> answers = co_await call_all(std::move(calls));
    co_return std::move(answers.front());
}

Co<std::vector<Answer>> Cluster::call_all(std::vector<Call> calls) {
    if (!slots_) co_await connect();
    Round round{.calls = calls,
                .answers = std::vector<Answer>(calls.size()),
                .open = {},
                .began = aio::EventLoop::running().time()};
    for (std::size_t i = 0; i < calls.size(); ++i) round.open.push_back(i);
    while (!round.open.empty()) {
        round.again.clear();
        co_await play(round);
        round.open = round.again;
        if (round.open.empty()) break;
        std::ranges::sort(round.open);
        co_await mend(round);
        co_await give_way(round);
    }
    trouble_.reset();
    co_return std::move(round.answers);
}

// Sends the open calls, each to the master of its slot, all nodes at the same time.
Co<> Cluster::play(Round& round) {
    round.slots_version = slots_version_;
    std::map<Node, std::vector<std::size_t>> by_node;
    for (const std::size_t index : round.open) {
        const Node* master = slots_->master_of(round.calls[index].slot);
        if (master) {
            by_node[*master].push_back(index);
            continue;
        }
        round.again.push_back(index);
        round.needs_refresh = true;
        round.reason = fmt::format("slot {} has no master", round.calls[index].slot);
    }
    std::vector<Batch> batches;
    for (auto& [node, indexes] : by_node) batches.push_back({node, std::move(indexes)});
    if (batches.size() == 1) {
        co_await send(batches.front(), round);
        co_return;
    }
    std::vector<Co<>> sends;
    for (Batch& batch : batches) sends.push_back(send(batch, round));
    co_await aio::gather(std::move(sends));
}

Co<> Cluster::send(Batch& batch, Round& round) {
    try {
        const std::shared_ptr<Connection> connection = co_await connection_to(batch.node);
        std::vector<Command> commands;
        bool is_write = false;
        for (const std::size_t index : batch.indexes) {
            commands.push_back(round.calls[index].command);
            is_write |= round.calls[index].is_write;
        }
        // On the connection of the writes, as WAIT counts those before it on its own connection.
        if (is_write && options_.copies > 0) {
            const auto limit =
                std::chrono::duration_cast<std::chrono::milliseconds>(options_.copies_timeout);
            commands.push_back(std::move(Command("WAIT").add(options_.copies).add(limit.count())));
        }
        std::vector<Reply> replies = co_await connection->call(std::move(commands));
        judge(batch, round, std::move(replies));
    } catch (const ConnectionLost& error) {
        round.again.insert(round.again.end(), batch.indexes.begin(), batch.indexes.end());
        round.needs_refresh = true;
        round.reason = error.what();
    }
}

// Sorts the replies into answers and calls to be repeated.
void Cluster::judge(Batch& batch, Round& round, std::vector<Reply> replies) {
    const bool has_wait = replies.size() > batch.indexes.size();
    const bool is_confirmed =
        !has_wait || (replies.back().is_integer() && replies.back().integer >= options_.copies);
    for (std::size_t i = 0; i < batch.indexes.size(); ++i) {
        const std::size_t index = batch.indexes[i];
        Reply& reply = replies[i];
        const Remedy remedy = remedy_for(reply, options_.again);
        const bool is_lacking = round.calls[index].is_write && !is_confirmed;
        if (remedy == Remedy::none && (reply.is_error() || !is_lacking)) {
            round.answers[index].reply = std::move(reply);
            continue;
        }
        round.again.push_back(index);
        if (remedy == Remedy::none) {
            round.reason = fmt::format("redis {}: fewer than {} replicas confirm a write",
                                       batch.node.to_string(), options_.copies);
            round.answers[index].unconfirmed.push_back(std::move(reply));
            round.needs_refresh = round.needs_pause = true;
            continue;
        }
        round.reason = fmt::format("redis {}: {}", batch.node.to_string(), reply.text);
        round.needs_refresh |= remedy == Remedy::refresh;
        round.needs_pause |= remedy == Remedy::pause;
        if (remedy == Remedy::load) round.needs_library.push_back(batch.node);
        if (const auto moved = parse_moved(reply.text, batch.node);
            moved && reply.code() == "MOVED") {
            round.knows_slots = moved->node;
        }
    }
}

// Does what the open calls need before the next try.
Co<> Cluster::mend(Round& round) {
    try {
        for (const Node& node : std::exchange(round.needs_library, {})) {
            co_await load_library(node);
        }
        if (std::exchange(round.needs_refresh, false)) {
            co_await refresh(round.slots_version, std::exchange(round.knows_slots, std::nullopt));
        }
    } catch (const ServerError&) {
        throw;
    } catch (const aio::TlsError&) {
        throw;
    } catch (const Error& error) {
        round.reason = error.what();
        round.needs_pause = true;
    }
}

// Pauses before the next try. The first repetition needs none if the map or the library was the
// reason; from then on the pauses double.
Co<> Cluster::give_way(Round& round) {
    const TimePoint now = aio::EventLoop::running().time();
    if (!trouble_) trouble_ = Trouble{.since = now, .reason = {}};
    trouble_->reason = round.reason;
    if (now - round.began >= options_.patience) {
        throw Unreachable(fmt::format("no success for {:.0f} s: {}", in_seconds(now - round.began),
                                      round.reason));
    }
    const bool needs_pause = std::exchange(round.needs_pause, false) || round.try_count > 0;
    const int doublings = std::min(round.try_count++, 16);
    if (!needs_pause) co_return;
    co_await aio::sleep(std::min(options_.pause_min * (1 << doublings), options_.pause_max));
}

}  // namespace weft::redis
