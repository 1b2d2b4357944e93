#pragma once

#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "aio/net/endpoint.h"
#include "aio/net/network.h"
#include "aio/task/co.h"
#include "base/clock.h"
#include "crawl/run/config.h"
#include "http/client/failure.h"

namespace weft::crawl {

// The state of the network after a failed fetch.
enum class NetworkState : std::uint8_t {
    there,       // The failure is the host's own.
    names_gone,  // The name servers do not answer; connections still work.
    gone,        // Nothing can be reached.
};

// A host that has answered before, so that it can be asked later whether the network is there.
struct Witness {
    std::string name;  // Empty if it was reached without asking the name servers.
    aio::Endpoint peer;
    std::uint64_t domain_key = 0;
};

// What a failure says about the network.
enum class Sign : std::uint8_t {
    none,     // Nothing: the cause is in this process, or in the address policy.
    heard,    // The other machine caused the failure, so the network is there.
    silence,  // Nothing was heard from the host.
    unnamed,  // The name servers did not answer.
};
Sign sign_of(http::Failure failure);

// Distinguishes hosts that are down from a network that is gone. Without it, a machine that is
// unplugged would end every URL of the crawl as failed.
//
// Only hosts that answered before can prove a loss: any number of dead names and addresses on a
// page proves nothing. The watch remembers a few such hosts as witnesses, each of a different
// registrable domain and address: the first two, which no later page can push out, and the latest.
// When a fetch fails in silence and no host was heard since it began, the caller asks the witnesses
// (ask_witnesses()) before it decides.
//
// A value without a lock or a clock. SharedState owns it and protects it with its lock.
class NetworkWatch {
public:
    static constexpr std::size_t kWitnessMax = 8;

    // A host answered a fetch. If wants_witness() is true, which is at most once a second, the
    // caller then adds the host as a witness.
    void on_answer(TimePoint now) { last_answer_ = last_heard_ = now; }
    bool wants_witness(TimePoint now) const {
        return !last_added_ || now - *last_added_ >= kAddInterval;
    }
    void add(Witness witness, TimePoint now);

    // Something was heard from the network.
    void on_heard(TimePoint now) { last_heard_ = now; }

    // Notes what the witnesses proved after a failure with this sign.
    void on_verdict(Sign sign, NetworkState state, TimePoint now);

    // The names of the witnesses were asked for moments ago, and the name servers were silent.
    bool has_just_lost_names(TimePoint now) const;

    // The name servers answer again, but the resolver still remembers names that failed before, so
    // such failures may come once more.
    bool is_recovering_names(TimePoint now) const;

    // Whether the network has shown a sign of life since the failed fetch began, so that the
    // witnesses need not be asked. A sign counts for at least one second, so that a thousand
    // failures at once ask only once, and for at most ten seconds.
    bool is_proven(Sign sign, TimePoint began, TimePoint now) const;

    // Whether a host has answered a fetch lately.
    bool has_answered_since(TimePoint time) const { return last_answer_ && *last_answer_ >= time; }

    // Whether this machine has no route to any witness. That proves the loss without asking them.
    bool has_no_route(const aio::Network& network) const;

    const std::vector<Witness>& witnesses() const { return witnesses_; }

private:
    static constexpr Duration kAddInterval = 1s;

    std::vector<Witness> witnesses_;
    std::size_t next_place_ = kWitnessMax;  // The index that the next witness replaces, if full.
    std::optional<TimePoint> last_added_;   // When a host was last offered as a witness.
    std::optional<TimePoint> last_answer_;  // The last response to a fetch.
    std::optional<TimePoint> last_heard_;   // The last sign of any machine, a refusal included.
    std::optional<TimePoint> last_names_heard_;  // The name servers last answered for witnesses.
    std::optional<TimePoint> names_lost_;        // They were last found silent.
};

// Parses the peer of a response as the page log writes it: "192.0.2.1:443", "[2001:db8::1]:443".
std::optional<aio::Endpoint> parse_peer(std::string_view text);

// Asks all witnesses at once whether the network is there: opens a connection to each and closes
// it; after a failure of the name servers it resolves their names first. Each question has a
// timeout of some seconds. `config` outlives the call.
//
// A witness that answers or refuses proves that the network is there. The silence of four or more
// proves that it is gone. The silence of fewer proves it only if the name servers are silent too,
// or if there is no route to any witness and no name to ask for: so few hosts may just be down.
aio::Co<NetworkState> ask_witnesses(std::vector<Witness> witnesses, Sign sign,
                                    const Config& config);

}  // namespace weft::crawl
