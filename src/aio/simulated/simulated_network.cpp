#include "aio/simulated/simulated_network.h"

#include <algorithm>
#include <deque>

#include "aio/net/caching_resolver.h"
#include "aio/simulated/simulated_connection.h"
#include "aio/task/errors.h"
#include "base/assert.h"

namespace weft::aio {

using ConnectionPointer = std::shared_ptr<SimulatedConnection>;

namespace {

constexpr auto kClient = SimulatedConnection::client;
constexpr auto kServer = SimulatedConnection::server;

constexpr unsigned kSynRetryCountMax = 6;  // As in Linux: 127 s in total.
constexpr Duration kFirstSynRetry = 1s;
constexpr std::uint16_t kFirstFreePort = 49152;

// From 11.0.0.1 on: every address policy considers them public, and nothing leaves the process.
IpAddress made_address(std::uint32_t index) {
    const std::uint32_t number = (11u << 24) + index;
    return IpAddress::v4(
        {static_cast<std::uint8_t>(number >> 24), static_cast<std::uint8_t>(number >> 16),
         static_cast<std::uint8_t>(number >> 8), static_cast<std::uint8_t>(number)});
}

[[noreturn]] void throw_cannot_listen(const Endpoint& endpoint, std::errc error) {
    throw IoError(fmt::format("cannot listen on {}", endpoint.to_string()),
                  std::make_error_code(error));
}

}  // namespace

// A connection that the network lists as long as it lives.
class SimulatedNetwork::Tracked final : public SimulatedConnection {
public:
    Tracked(SimulatedNetwork& network, ConnectionEnd from, ConnectionEnd to)
        : SimulatedConnection(network.wire_, network.partitions_, from, to),
          network_(network),
          id_(network.connection_id_++) {}
    ~Tracked() { network_.connections_.erase(id_); }

    std::uint64_t id() const { return id_; }

private:
    SimulatedNetwork& network_;
    std::uint64_t id_;
};

class SimulatedListener final : public Listener {
public:
    SimulatedListener(SimulatedNetwork& network, Endpoint endpoint, ListenOptions options)
        : network_(network), endpoint_(endpoint), options_(options) {
        network_.listeners_[endpoint_].push_back(this);
    }
    ~SimulatedListener() override {
        std::erase(network_.listeners_[endpoint_], this);
        // Clients that were never accepted get a reset, as when a real listener is closed.
        for (const ConnectionPointer& connection : waiting_) connection->abort(kServer);
    }

    Co<std::unique_ptr<Transport>> accept() override {
        while (waiting_.empty()) {
            readable_.clear();
            co_await readable_.wait();
        }
        ConnectionPointer connection = std::move(waiting_.front());
        waiting_.pop_front();
        co_return make_simulated_transport(std::move(connection), kServer);
    }

    Endpoint local() const override { return endpoint_; }

    bool shares_port() const { return options_.reuse_port; }
    bool is_full() const {
        return waiting_.size() >= static_cast<std::size_t>(std::max(options_.backlog, 1));
    }
    void take(ConnectionPointer connection) {
        waiting_.push_back(std::move(connection));
        readable_.set();
    }

private:
    SimulatedNetwork& network_;
    Endpoint endpoint_;
    ListenOptions options_;
    std::deque<ConnectionPointer> waiting_;
    IoSide readable_;
};

class SimulatedNetwork::View final : public Network {
public:
    View(SimulatedNetwork& network, SimulatedHost& host) : network_(network), host_(host) {}

    // The local address is ignored, as every simulated host has one address.
    Co<std::unique_ptr<Transport>> connect(Endpoint endpoint, std::optional<IpAddress>) override {
        ConnectionPointer connection = network_.open(host_, endpoint);
        std::unique_ptr<Transport> transport = make_simulated_transport(connection, kClient);
        // The side is also set when the connection fails; then there is an error to take.
        co_await transport->until_writable();
        if (const std::error_code error = connection->take_error(kClient)) {
            throw IoError(fmt::format("cannot connect to {}", endpoint.to_string()), error);
        }
        co_return std::move(transport);
    }

    std::unique_ptr<Listener> listen(Endpoint endpoint, ListenOptions options) override {
        SimulatedHost* host = network_.host_at(endpoint.address);
        if (!host) throw_cannot_listen(endpoint, std::errc::address_not_available);
        return network_.listen_at(*host, endpoint.port, options);
    }

    Resolver& resolver() override {
        if (!resolver_) resolver_ = make_caching_resolver(network_.names_.make_resolver());
        return *resolver_;
    }

    bool has_route(const IpAddress&) const override { return host_.reach() != Reach::unreachable; }

    void on_shutdown() noexcept override { resolver_.reset(); }

private:
    SimulatedNetwork& network_;
    SimulatedHost& host_;
    std::unique_ptr<Resolver> resolver_;
};

SimulatedNetwork::SimulatedNetwork(const Clock& clock, std::uint64_t seed) : wire_(clock, seed) {
    const IpAddress loopback = IpAddress::loopback();
    auto local = std::make_unique<SimulatedHost>("localhost", loopback);
    by_address_[loopback] = local.get();
    hosts_.emplace("localhost", std::move(local));
    name("localhost").add(loopback);
}

SimulatedNetwork::~SimulatedNetwork() = default;

SimulatedHost& SimulatedNetwork::host(std::string_view name) {
    const auto found = hosts_.find(name);
    return found != hosts_.end() ? *found->second : host(name, made_address(++next_address_));
}

SimulatedHost& SimulatedNetwork::host(std::string_view name, const IpAddress& address) {
    WEFT_ASSERT(!by_address_.contains(address));
    auto made = std::make_unique<SimulatedHost>(std::string(name), address);
    SimulatedHost& machine = *made;
    hosts_.emplace(std::string(name), std::move(made));
    by_address_[address] = &machine;
    names_.name(name).add(address);
    return machine;
}

SimulatedHost* SimulatedNetwork::host_at(const IpAddress& address) {
    const auto found = by_address_.find(address);
    return found == by_address_.end() ? nullptr : found->second;
}

void SimulatedNetwork::partition(std::set<std::string> here, std::set<std::string> there) {
    wire_.trace("partition of {} from {}", fmt::join(here, ", "),
                there.empty() ? "all" : fmt::format("{}", fmt::join(there, ", ")));
    partitions_.part(std::move(here), std::move(there));
}

void SimulatedNetwork::heal() {
    wire_.trace("healed");
    partitions_.heal();
}

std::vector<ConnectionPointer> SimulatedNetwork::connections_of(std::string_view name) {
    // Returns owners, as ending a connection may remove it from the map.
    const SimulatedHost& machine = host(name);
    std::vector<ConnectionPointer> found;
    for (const auto& [id, weak] : connections_) {
        ConnectionPointer connection = weak.lock();
        if (connection && connection->touches(machine)) found.push_back(std::move(connection));
    }
    return found;
}

void SimulatedNetwork::reset_connections(std::string_view name) {
    for (const ConnectionPointer& connection : connections_of(name)) {
        wire_.trace("{} cut", connection->arrow(kClient));
        connection->fail(kClient, std::errc::connection_reset);
        connection->fail(kServer, std::errc::connection_reset);
    }
}

void SimulatedNetwork::lose_connections(std::string_view name) {
    for (const ConnectionPointer& connection : connections_of(name)) connection->lose();
}

void SimulatedNetwork::at(Duration since_start, std::move_only_function<void()> event) {
    wire_.schedule(TimePoint(since_start), std::move(event));
}

std::unique_ptr<Network> SimulatedNetwork::seen_from(std::string_view name) {
    return std::make_unique<View>(*this, host(name));
}

std::unique_ptr<Listener> SimulatedNetwork::listen(std::string_view name, std::uint16_t port,
                                                   ListenOptions options) {
    return listen_at(host(name), port, options);
}

std::unique_ptr<Listener> SimulatedNetwork::listen_at(SimulatedHost& host, std::uint16_t port,
                                                      ListenOptions options) {
    while (port == 0) {
        port = static_cast<std::uint16_t>(kFirstFreePort - 1 - next_port_++ % 16'384);
        if (listener_for(host.endpoint(port))) port = 0;
    }
    const Endpoint endpoint = host.endpoint(port);
    const SimulatedListener* present = listener_for(endpoint);
    if (present && !(present->shares_port() && options.reuse_port)) {
        throw_cannot_listen(endpoint, std::errc::address_in_use);
    }
    return std::make_unique<SimulatedListener>(*this, endpoint, options);
}

// Listeners that share a port get the connections in turn.
SimulatedListener* SimulatedNetwork::listener_for(const Endpoint& endpoint) {
    const auto found = listeners_.find(endpoint);
    if (found == listeners_.end() || found->second.empty()) return nullptr;
    std::ranges::rotate(found->second, found->second.begin() + 1);
    return found->second.back();
}

ConnectionPointer SimulatedNetwork::open(SimulatedHost& from, const Endpoint& to) {
    SimulatedHost* target = host_at(to.address);
    // From the connection's number, so that a trace is the same in each run.
    const auto port = static_cast<std::uint16_t>(kFirstFreePort + connection_id_ % 16'384);
    // Connections to the loopback address stay on its machine, so their source address is that one
    // too.
    SimulatedHost& source = target && to.address == IpAddress::loopback() ? *target : from;
    auto connection = std::make_shared<Tracked>(
        *this, SimulatedConnection::ConnectionEnd{source.endpoint(port), source},
        SimulatedConnection::ConnectionEnd{to, target ? *target : source});
    connections_[connection->id()] = connection;
    if (target) {
        send_syn(connection, 0);
    } else {
        wire_.trace("{}:{} > {} no such machine", from.name(), port, to.to_string());
        connection->fail(kClient, std::errc::host_unreachable);
    }
    return connection;
}

void SimulatedNetwork::send_syn(const ConnectionPointer& connection, unsigned attempt) {
    // The program closed it meanwhile: a SYN is not sent again.
    if (connection->is_gone(kClient)) return;
    wire_.trace("{} syn", connection->arrow(kClient));
    const Reach reach = host_at(connection->endpoint(kServer).address)->reach();
    if (reach == Reach::black_hole || connection->is_segment_lost(kClient)) {
        return lose_syn(connection, attempt);
    }
    wire_.schedule(connection->arrival(kClient, 0),
                   [this, connection, attempt] { take_syn(connection, attempt); });
}

void SimulatedNetwork::lose_syn(const ConnectionPointer& connection, unsigned attempt) {
    const TimePoint again = wire_.now() + kFirstSynRetry * (1 << attempt);
    wire_.schedule(again, [this, connection, attempt] {
        if (attempt == kSynRetryCountMax) {
            connection->fail(kClient, std::errc::timed_out);
        } else {
            send_syn(connection, attempt + 1);
        }
    });
}

void SimulatedNetwork::take_syn(const ConnectionPointer& connection, unsigned attempt) {
    if (connection->is_gone(kClient)) return;
    const Endpoint& endpoint = connection->endpoint(kServer);
    const Reach reach = host_at(endpoint.address)->reach();
    const SimulatedListener* listener = listener_for(endpoint);
    // As in Linux, a full backlog ignores the SYN, and the client sends it again.
    if (reach == Reach::normal && listener && listener->is_full()) {
        wire_.trace("{} backlog full", connection->arrow(kClient));
        return lose_syn(connection, attempt);
    }
    const TimePoint back = connection->arrival(kServer, 0);
    if (reach != Reach::normal || !listener) {
        const std::errc error = reach == Reach::unreachable ? std::errc::host_unreachable
                                                            : std::errc::connection_refused;
        wire_.schedule(back, [this, connection, error] {
            wire_.trace("{} {}", connection->arrow(kServer),
                        error == std::errc::host_unreachable ? "unreachable" : "refused");
            connection->fail(kClient, error);
        });
        return;
    }
    wire_.schedule(back, [this, connection] {
        if (connection->is_gone(kClient)) return;
        wire_.trace("{} connected", connection->arrow(kServer));
        // The server's program learns of the connection when the last part of the handshake
        // arrives, just before the client's first bytes.
        wire_.schedule(connection->arrival(kClient, 0), [this, connection] {
            if (SimulatedListener* taker = listener_for(connection->endpoint(kServer))) {
                taker->take(connection);
            } else {
                // The listener was closed during the handshake.
                connection->abort(kServer);
            }
        });
        connection->establish();
    });
}

}  // namespace weft::aio
