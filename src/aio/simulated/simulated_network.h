#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "aio/net/network.h"
#include "aio/simulated/simulated_host.h"
#include "aio/simulated/simulated_names.h"
#include "aio/simulated/simulated_wire.h"

namespace weft::aio {

class SimulatedConnection;
class SimulatedListener;

// A network of made machines, in virtual time. One seed gives one history: the same calls give the
// same trace, byte for byte.
//
//     SimulatedLoop loop;
//     SimulatedNetwork& network = loop.network();
//     network.host("a.test").latency(20ms).bandwidth(1_MiB);
//     network.host("dead.test").reach(Reach::black_hole);
//     network.name("gone.test").fails(NameFault::no_such_name);
//     network.at(5s, [&] { network.partition({"a.test"}); });
//     network.at(9s, [&] { network.heal(); });
//
// A server listens on its machine's address: network.listen("a.test", 80). Programs reach the
// network as usual, through their loop's Network; an address that no machine has is unreachable.
// Connecting takes one round trip, an answer another, a name nothing unless it is told to.
//
// On one thread. Lives longer than the loops that use it.
class SimulatedNetwork {
public:
    SimulatedNetwork(const Clock& clock, std::uint64_t seed);
    ~SimulatedNetwork();

    // The machine of that name; made when first mentioned, with a public-looking address of its own
    // and a name that leads to it.
    SimulatedHost& host(std::string_view name);

    // The same, made with this address: 127.0.0.2, say, for a program that expects its server
    // there. REQUIRES: no other machine has it.
    SimulatedHost& host(std::string_view name, const IpAddress& address);

    // The name, which need not be a machine's.
    SimulatedName& name(std::string_view name) { return names_.name(name); }

    // Cuts the machines `here` off from `there`, or from all others. What is sent meanwhile is sent
    // again after, as TCP does.
    void partition(std::set<std::string> here, std::set<std::string> there = {});
    void heal();

    // The machine's connections: reset now on both sides, or dead without a sign.
    void reset_connections(std::string_view host);
    void lose_connections(std::string_view host);

    // Calls `event` at that virtual time.
    void at(Duration since_start, std::move_only_function<void()> event);

    // Told of everything that happens on the network: "0.040000000 a.test:80 > here:49152 data
    // 512".
    void set_trace(SimulatedWire::TraceSink sink) { wire_.set_trace(std::move(sink)); }

    std::unique_ptr<Listener> listen(std::string_view host, std::uint16_t port,
                                     ListenOptions options = {});

    // The network as programs on that machine see it, with a resolver that remembers. One a loop.
    std::unique_ptr<Network> seen_from(std::string_view host);

    // Connections that at least one end still holds, or that still carry something.
    std::size_t connection_count() const { return connections_.size(); }

    // For whoever moves the clock: when something happens next, and let it happen.
    std::optional<TimePoint> next_event() const { return wire_.next_event(); }
    void deliver_due() { wire_.deliver_due(); }

private:
    friend class SimulatedListener;
    class View;
    class Tracked;

    std::shared_ptr<SimulatedConnection> open(SimulatedHost& from, const Endpoint& to);
    std::unique_ptr<Listener> listen_at(SimulatedHost& host, std::uint16_t port,
                                        ListenOptions options);
    SimulatedHost* host_at(const IpAddress& address);
    void send_syn(const std::shared_ptr<SimulatedConnection>& connection, unsigned attempt);
    void lose_syn(const std::shared_ptr<SimulatedConnection>& connection, unsigned attempt);
    void take_syn(const std::shared_ptr<SimulatedConnection>& connection, unsigned attempt);
    SimulatedListener* listener_for(const Endpoint& endpoint);
    std::vector<std::shared_ptr<SimulatedConnection>> connections_of(std::string_view host);

    std::map<std::uint64_t, std::weak_ptr<SimulatedConnection>> connections_;
    SimulatedWire wire_;
    SimulatedNames names_{wire_};
    SimulatedPartitions partitions_;
    std::map<std::string, std::unique_ptr<SimulatedHost>, std::less<>> hosts_;
    std::map<IpAddress, SimulatedHost*> by_address_;
    std::map<Endpoint, std::vector<SimulatedListener*>> listeners_;
    std::uint64_t connection_id_ = 0;
    std::uint32_t next_address_ = 0;
    std::uint16_t next_port_ = 0;
};

}  // namespace weft::aio
