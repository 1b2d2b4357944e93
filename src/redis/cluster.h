#pragma once

#include <map>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/sync/lock.h"
#include "aio/task/co.h"
#include "base/clock.h"
#include "redis/command.h"
#include "redis/connection.h"
#include "redis/node.h"
#include "redis/reply.h"
#include "redis/slots.h"

namespace weft::redis {

struct ClusterOptions {
    ConnectionOptions connection;

    // The Lua library that is loaded where a function is missing; empty: none.
    std::string library;

    // Error codes of that library after which a later try helps.
    std::vector<std::string> again = {};

    // How many replicas must confirm a write that asks for it (WAIT), and how long they may take.
    int copies = 0;
    Duration copies_timeout = 1s;

    // The pause before a call is repeated doubles from one to the other.
    Duration pause_min = 20ms;
    Duration pause_max = 1s;

    // How long a call is repeated before Unreachable is thrown.
    Duration patience = 60s;
};

// One command for the node that has a slot.
struct Call {
    std::uint16_t slot = 0;
    Command command;
    bool is_write = false;  // Must be confirmed by `copies` replicas.
};

// The reply, and those of earlier tries of the same call that were done but not confirmed: the
// server may answer differently the second time.
struct Answer {
    Reply reply;
    std::vector<Reply> unconfirmed = {};
};

// Why calls are being repeated at present.
struct Trouble {
    TimePoint since;
    std::string reason;
};

// A Redis Cluster, or one plain server. It sends each call to the master of its slot and repeats
// the call until it is done:
//
// - MOVED, READONLY, a lost connection: it asks for the slots, then again.
// - ASK, TRYAGAIN, CLUSTERDOWN, LOADING, MASTERDOWN, NOREPLICAS, BUSY, OOM, MISCONF: a pause, then
//   again.
// - A function is missing: it loads the library, then again.
// - Too few replicas confirm: again.
// - Any other error is the reply.
//
// So a call may be done more than once, and the caller's functions must be made for that. When a
// call is cancelled, it may have been done or not.
//
// There is one connection a node, made when it is needed. On one loop's thread; the object must
// outlive its calls.
class Cluster {
public:
    // `seeds` are the nodes to ask for the slots; without any, every call is Unreachable.
    Cluster(std::vector<Node> seeds, ClusterOptions options);
    ~Cluster();
    Cluster(const Cluster&) = delete;
    Cluster& operator=(const Cluster&) = delete;

    // Asks for the slots, so that a wrong address or password is found before the first call.
    // Throws Unreachable after `patience`, ServerError (WRONGPASS, NOPERM, ...), aio::TlsError.
    aio::Co<> connect();

    // The answers, in order. Calls to one node go out together, and one WAIT confirms them. Throws
    // as connect() does, except that errors of the server are replies.
    aio::Co<std::vector<Answer>> call_all(std::vector<Call> calls);
    aio::Co<Answer> call(Call call);

    // Known after connect() or the first call.
    const SlotMap* slots() const { return slots_ ? &*slots_ : nullptr; }

    // Nothing: the last call went through.
    const std::optional<Trouble>& trouble() const { return trouble_; }

    // How many replicas must confirm writes from now on.
    void set_copies(int copies) { options_.copies = copies; }

private:
    struct Link;
    struct Batch;
    struct Round;

    aio::Co<std::shared_ptr<Connection>> connection_to(Node node);
    aio::Co<> refresh(std::uint64_t seen_version, std::optional<Node> first);
    aio::Co<> ask_for_slots(Node node);
    aio::Co<> load_library(Node node);

    aio::Co<> play(Round& round);
    aio::Co<> send(Batch& batch, Round& round);
    void judge(Batch& batch, Round& round, std::vector<Reply> replies);
    aio::Co<> mend(Round& round);
    aio::Co<> give_way(Round& round);

    const std::vector<Node> seeds_;
    ClusterOptions options_;
    std::map<Node, std::shared_ptr<Link>> links_;
    std::optional<SlotMap> slots_;
    std::uint64_t slots_version_ = 0;  // Counts the refreshes.
    aio::Lock refreshing_;
    std::optional<Trouble> trouble_;
};

}  // namespace weft::redis
