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

// A network of simulated machines in virtual time. The seed determines everything: the same calls
// give the same trace, byte for byte.
//
//     SimulatedLoop loop;
//     SimulatedNetwork& network = loop.network();
//     network.host("a.test").latency(20ms).bandwidth(1_MiB);
//     network.host("dead.test").reach(Reach::black_hole);
//     network.name("gone.test").fails(NameFault::no_such_name);
//     network.at(5s, [&] { network.partition({"a.test"}); });
//     network.at(9s, [&] { network.heal(); });
//
// A server listens on its machine's address: network.listen("a.test", 80). Programs use the network
// as usual, through their loop's Network. An address without a machine is unreachable. Connecting
// takes one round trip, an answer another one; resolving a name takes no time unless a delay is
// set.
//
// For one thread. It must outlive the loops that use it.
class SimulatedNetwork {
public:
    SimulatedNetwork(const Clock& clock, std::uint64_t seed);
    ~SimulatedNetwork();

    // The machine of that name. It is created at the first use, with its own address that looks
    // public and a name that resolves to it.
    SimulatedHost& host(std::string_view name);

    // Creates the machine with this address, such as 127.0.0.2 for a program that expects its
    // server there. REQUIRES: no other machine has the address.
    SimulatedHost& host(std::string_view name, const IpAddress& address);

    // The name, which need not belong to a machine.
    SimulatedName& name(std::string_view name) { return names_.name(name); }

    // Separates the machines `here` from `there`, or from all others. What is sent in the meantime
    // is sent again later, as TCP does.
    void partition(std::set<std::string> here, std::set<std::string> there = {});
    void heal();

    // Ends the machine's connections: resets both sides now, or lets them go silent.
    void reset_connections(std::string_view host);
    void lose_connections(std::string_view host);

    // Calls `event` at that virtual time, on the thread that runs the loops.
    void at(Duration since_start, std::move_only_function<void()> event);

    // The sink gets a line for everything that happens on the network: "0.040000000 a.test:80 >
    // here:49152 data 512".
    void set_trace(SimulatedWire::TraceSink sink) { wire_.set_trace(std::move(sink)); }

    std::unique_ptr<Listener> listen(std::string_view host, std::uint16_t port,
                                     ListenOptions options = {});

    // The network as programs on that machine see it, with a caching resolver. One for each loop.
    std::unique_ptr<Network> seen_from(std::string_view host);

    // Connections that at least one end still holds, or that still have events to come.
    std::size_t connection_count() const { return connections_.size(); }

    // For the code that moves the clock: when the next event happens, and how to run those that are
    // due.
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

    // Declared before wire_, so destroyed after it: events there hold connections, which remove
    // themselves from this map.
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
