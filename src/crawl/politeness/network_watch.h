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

// What a failed fetch means for the crawl.
enum class NetworkState : std::uint8_t {
    there,       // The failure is the host's own.
    names_gone,  // The name servers do not answer; connections still work.
    gone,        // Nothing can be reached.
};

// A host that has answered, and so can say later whether the network is still there.
struct Witness {
    std::string name;  // Empty if the name servers were not asked for it.
    aio::Endpoint peer;
    std::uint64_t domain_key = 0;
};

// What a failure says about the network.
enum class Sign : std::uint8_t {
    none,     // Nothing: it is our own, or the policy's.
    heard,    // A machine at the other end has caused it: the network is there.
    silence,  // Nothing was heard from the host.
    unnamed,  // The name servers did not say where the host is.
};
Sign sign_of(http::Failure failure);

// Tells hosts that are down from a network that is gone: a machine that was unplugged would
// otherwise take every URL for a dead one.
//
// Only hosts that answered before can prove a loss: any number of dead names and addresses on a
// page says nothing. The watch remembers a few of them as witnesses, from different registrable
// domains and addresses: the first two, which no later page can push out, and the latest. When a
// fetch fails in silence, and nothing was heard from anybody since it began, the witnesses are
// asked again (ask_witnesses()) before the watch decides. A value, for one thread at a time.
class NetworkWatch {
public:
    static constexpr std::size_t kWitnessMax = 8;

    // A host answered. If the watch wants a witness now, which it does once a second at most, it is
    // given the host.
    void on_answer(TimePoint now) { last_answer_ = last_heard_ = now; }
    bool wants_witness(TimePoint now) const {
        return !last_added_ || now - *last_added_ >= kAddInterval;
    }
    void add(Witness witness, TimePoint now);

    // Something was heard from the network.
    void on_heard(TimePoint now) { last_heard_ = now; }

    // What the witnesses said after a failure.
    void on_verdict(Sign sign, NetworkState state, TimePoint now);

    // The witnesses were asked for their names moments ago, and the name servers were silent.
    bool has_just_lost_names(TimePoint now) const;

    // They answer again, but failures from before are still remembered and may be met once more.
    bool is_recovering_names(TimePoint now) const;

    // Whether a failure of a fetch that began then needs no further question: there is a sign of
    // life from that time. A sign is worth a second in any case, so that a thousand failures ask
    // once, and ten seconds at most.
    bool is_proven(Sign sign, TimePoint began, TimePoint now) const;

    // Whether a host has answered a fetch lately.
    bool has_answered_since(TimePoint time) const { return last_answer_ && *last_answer_ >= time; }

    // Whether this machine itself has no way any more to any witness: that is certain.
    bool has_no_route(const aio::Network& network) const;

    const std::vector<Witness>& witnesses() const { return witnesses_; }

private:
    static constexpr Duration kAddInterval = 1s;

    std::vector<Witness> witnesses_;
    std::size_t next_place_ = kWitnessMax;  // Of the latest: the place that the next one takes.
    std::optional<TimePoint> last_added_;
    std::optional<TimePoint> last_answer_;
    std::optional<TimePoint> last_heard_;
    std::optional<TimePoint> last_names_heard_;
    std::optional<TimePoint> names_lost_;
};

// The peer of an answer, as the page log writes it: "192.0.2.1:443", "[2001:db8::1]:443".
std::optional<aio::Endpoint> parse_peer(std::string_view text);

// Asks the witnesses: a new connection to each, which is closed at once, and for a failure of the
// name servers the names of all. Some seconds at most.
//
// One that answers, or refuses, proves that the network is there. Silence of four or more proves
// that it is gone; of fewer, only if the name servers are silent too, or if there is no way to any
// and no name to ask for: one host alone may as well be down.
aio::Co<NetworkState> ask_witnesses(std::vector<Witness> witnesses, Sign sign,
                                    const Config& config);

}  // namespace weft::crawl
