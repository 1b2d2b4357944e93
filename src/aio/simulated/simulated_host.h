#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "aio/net/endpoint.h"
#include "aio/simulated/simulated_wire.h"
#include "base/clock.h"
#include "base/units.h"

namespace weft::aio {

// How a machine is connected to the simulated network. What travels between two machines pays the
// latency, jitter and bandwidth of both.
struct SimulatedLink {
    Duration latency{};                  // One way.
    Duration jitter{};                   // A random extra delay per segment, at most this much.
    std::uint64_t bytes_per_second = 0;  // Each way, shared by all connections; 0: no limit.
    double loss = 0;                     // Chance that a segment is lost and sent again later.
    std::size_t buffer_bytes = 64_KiB;   // For each direction of a connection, on each side.
    std::size_t segment_bytes = 16_KiB;  // The largest piece that travels at once.
};

// How a machine answers a new connection.
enum class Reach {
    normal,       // Accepted if something listens on the port, otherwise refused.
    refusing,     // Refused on every port.
    black_hole,   // Never answers: connect() ends by the caller's timeout, or after two minutes.
    unreachable,  // A router answers that there is no route.
};

// A machine of the simulated network. Owned by the network. Settings apply from now on, also in the
// middle of a run.
class SimulatedHost {
public:
    SimulatedHost(std::string name, IpAddress address)
        : name_(std::move(name)), address_(address) {}

    const std::string& name() const { return name_; }
    const IpAddress& address() const { return address_; }
    Endpoint endpoint(std::uint16_t port) const { return {address_, port}; }
    const SimulatedLink& link() const { return link_; }
    Reach reach() const { return reach_; }
    std::optional<std::uint64_t> reset_after() const { return reset_after_; }

    SimulatedHost& link(SimulatedLink link) { return link_ = link, *this; }
    SimulatedHost& latency(Duration one_way) { return link_.latency = one_way, *this; }
    SimulatedHost& jitter(Duration most) { return link_.jitter = most, *this; }
    SimulatedHost& bandwidth(std::uint64_t bytes_per_second) {
        return link_.bytes_per_second = bytes_per_second, *this;
    }
    SimulatedHost& loss(double chance) { return link_.loss = chance, *this; }
    SimulatedHost& buffers(std::size_t bytes) { return link_.buffer_bytes = bytes, *this; }
    SimulatedHost& segments(std::size_t bytes) { return link_.segment_bytes = bytes, *this; }

    SimulatedHost& reach(Reach reach) { return reach_ = reach, *this; }

    // A connection that this machine accepted is reset after it has sent this many bytes on it.
    SimulatedHost& resets_after(std::optional<std::uint64_t> bytes) {
        return reset_after_ = bytes, *this;
    }

private:
    friend TimePoint travel(SimulatedHost& from, SimulatedHost& to, std::size_t bytes,
                            SimulatedWire& wire);

    // When `bytes` that reach the link at `from` have passed it. The link is busy until then.
    TimePoint pass(TimePoint& free_at, TimePoint from, std::size_t bytes) const;

    std::string name_;
    IpAddress address_;
    SimulatedLink link_;
    Reach reach_ = Reach::normal;
    std::optional<std::uint64_t> reset_after_;
    TimePoint up_free_at_{};
    TimePoint down_free_at_{};
};

// When `bytes` that leave now arrive. A machine reaches itself without delay.
TimePoint travel(SimulatedHost& from, SimulatedHost& to, std::size_t bytes, SimulatedWire& wire);

// Which machines cannot reach each other.
class SimulatedPartitions {
public:
    // Separates every machine of `here` from every machine of `there`, by name. If `there` is
    // empty, from all machines that are not in `here`.
    void part(std::set<std::string> here, std::set<std::string> there);
    void heal() { cuts_.clear(); }
    bool apart(const SimulatedHost& a, const SimulatedHost& b) const;

private:
    struct Cut {
        std::set<std::string> here;
        std::set<std::string> there;
    };
    std::vector<Cut> cuts_;
};

}  // namespace weft::aio
