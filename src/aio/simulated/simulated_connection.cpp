#include "aio/simulated/simulated_connection.h"

#include <algorithm>
#include <cstring>

namespace weft::aio {
namespace {

constexpr Duration kFirstRetry = 200ms;
constexpr Duration kRetryMax = 120s;

Duration retry_pause(unsigned attempt) {
    return std::min<Duration>(kFirstRetry * (1 << attempt), kRetryMax);
}

IoResult failure(std::errc error) {
    return std::unexpected(std::make_error_code(error));
}

class SimulatedTransport final : public Transport {
public:
    SimulatedTransport(std::shared_ptr<SimulatedConnection> connection,
                       SimulatedConnection::End end)
        : connection_(std::move(connection)), end_(end) {}
    ~SimulatedTransport() override { connection_->close(end_); }

    IoResult read(std::span<char> room) override { return connection_->read(end_, room); }
    IoResult write(std::string_view bytes) override { return connection_->write(end_, bytes); }
    IoWait until_readable() override { return connection_->readable(end_).wait(); }
    IoWait until_writable() override { return connection_->writable(end_).wait(); }
    void shutdown_write() override { connection_->shutdown_write(end_); }
    Endpoint local() const override { return connection_->endpoint(end_); }
    Endpoint peer() const override {
        return connection_->endpoint(end_ == SimulatedConnection::client
                                         ? SimulatedConnection::server
                                         : SimulatedConnection::client);
    }

private:
    std::shared_ptr<SimulatedConnection> connection_;
    SimulatedConnection::End end_;
};

}  // namespace

std::unique_ptr<Transport> make_simulated_transport(std::shared_ptr<SimulatedConnection> connection,
                                                    SimulatedConnection::End end) {
    return std::make_unique<SimulatedTransport>(std::move(connection), end);
}

SimulatedConnection::SimulatedConnection(SimulatedWire& wire, const SimulatedPartitions& partitions,
                                         ConnectionEnd from, ConnectionEnd to)
    : wire_(wire), partitions_(partitions), places_{from, to} {
    // The server's program gets its end only after the handshake, so it may write from the start.
    ends_[server].writable.set();
}

bool SimulatedConnection::touches(const SimulatedHost& host) const {
    return &places_[client].host == &host || &places_[server].host == &host;
}

std::string SimulatedConnection::arrow(End from) const {
    const auto name = [this](End end) {
        return fmt::format("{}:{}", places_[end].host.name(), places_[end].endpoint.port);
    };
    return fmt::format("{} > {}", name(from), name(other(from)));
}

IoResult SimulatedConnection::read(End end, std::span<char> room) {
    EndState& state = ends_[end];
    Flow& flow = flows_[other(end)];
    if (!flow.arrived.empty()) {
        const std::size_t count = std::min(room.size(), flow.arrived.size());
        std::memcpy(room.data(), flow.arrived.data(), count);
        flow.arrived.erase(0, count);
        // The flag stays set at the end of the stream or after an error: a read has something to
        // report.
        if (flow.arrived.empty() && !flow.end_arrived && !state.gone) state.readable.clear();
        // Reading made room in the receive buffer.
        pump(other(end));
        return count;
    }
    if (state.error) return std::unexpected(take_error(end));
    if (state.gone || flow.end_arrived) return 0;
    state.readable.clear();
    return failure(std::errc::operation_would_block);
}

IoResult SimulatedConnection::write(End end, std::string_view bytes) {
    EndState& state = ends_[end];
    Flow& flow = flows_[end];
    if (state.error) return std::unexpected(take_error(end));
    if (state.gone || flow.end_wanted) return failure(std::errc::broken_pipe);
    const std::size_t room_max = places_[end].host.link().buffer_bytes;
    // As in a real socket, bytes leave the send buffer when they have arrived, not when they are
    // sent.
    const std::size_t held = std::min(room_max, flow.unsent.size() + flow.in_flight);
    const std::size_t count = std::min(bytes.size(), room_max - held);
    if (count == 0 && !bytes.empty()) {
        state.writable.clear();
        return failure(std::errc::operation_would_block);
    }
    flow.unsent += bytes.substr(0, count);
    pump(end);
    return count;
}

void SimulatedConnection::shutdown_write(End end) {
    if (ends_[end].gone) return;
    flows_[end].end_wanted = true;
    pump(end);
}

void SimulatedConnection::close(End end) {
    EndState& state = ends_[end];
    state.open = false;
    state.readable.close();
    state.writable.close();
    if (state.gone) return;
    if (!established_) {
        state.gone = true;  // The network notices it at the next step of the handshake.
    } else if (!flows_[other(end)].arrived.empty()) {
        state.gone = true;
        // As TCP does: bytes that were never read are lost, and the peer must learn of it (RFC
        // 2525, section 2.17).
        send_reset(end);
    } else {
        flows_[end].end_wanted = true;
        pump(end);
    }
}

void SimulatedConnection::establish() {
    established_ = true;
    ends_[client].writable.set();
    pump(server);
}

void SimulatedConnection::fail(End end, std::errc error) {
    EndState& state = ends_[end];
    if (state.gone) return;
    state.error = std::make_error_code(error);
    state.gone = true;
    // What has arrived stays readable; only what was not sent yet is dropped.
    flows_[end].unsent.clear();
    state.readable.set();
    state.writable.set();
}

void SimulatedConnection::abort(End end) {
    fail(end, std::errc::connection_reset);
    send_reset(end);
}

bool SimulatedConnection::is_segment_lost(End from) {
    const SimulatedHost& sender = places_[from].host;
    const SimulatedHost& receiver = places_[other(from)].host;
    if (lost_ || partitions_.apart(sender, receiver)) return true;
    const double loss = sender.link().loss + receiver.link().loss;
    return loss > 0 && wire_.random().unit() < loss;
}

TimePoint SimulatedConnection::arrival(End from, std::size_t bytes) {
    const TimePoint when = travel(places_[from].host, places_[other(from)].host, bytes, wire_);
    Flow& flow = flows_[from];
    // Jitter must not let a segment overtake an earlier one.
    return flow.last_arrival = std::max(when, flow.last_arrival);
}

bool SimulatedConnection::must_reset(End from) const {
    if (from != server) return false;
    const std::optional<std::uint64_t> limit = places_[server].host.reset_after();
    return limit && flows_[server].sent_total >= *limit;
}

// Sends what may travel now: as much as the receiver has room for, then the end of the stream.
void SimulatedConnection::pump(End from) {
    Flow& flow = flows_[from];
    const SimulatedLink& sender = places_[from].host.link();
    const SimulatedLink& receiver = places_[other(from)].host.link();
    while (!flow.stalled && !ends_[from].gone && !flow.end_sent) {
        // The setting resets_after() may cut a connection in the middle of a message.
        if (must_reset(from)) return abort(from);
        const std::size_t taken =
            std::min(receiver.buffer_bytes, flow.in_flight + flow.arrived.size());
        std::size_t count = std::min({flow.unsent.size(), sender.segment_bytes,
                                      receiver.segment_bytes, receiver.buffer_bytes - taken});
        if (const auto limit = places_[server].host.reset_after(); limit && from == server) {
            count = std::min<std::size_t>(count, *limit - flow.sent_total);
        }
        if (count > 0) {
            Segment segment{.bytes = flow.unsent.substr(0, count)};
            flow.unsent.erase(0, count);
            flow.in_flight += count;
            flow.sent_total += count;
            send(from, std::move(segment), 0);
        } else if (flow.unsent.empty() && flow.end_wanted) {
            flow.end_sent = true;
            send(from, {.is_end = true}, 0);
        } else {
            return;
        }
    }
}

void SimulatedConnection::send(End from, Segment segment, unsigned attempt) {
    if (!is_segment_lost(from)) {
        const TimePoint when = arrival(from, segment.bytes.size());
        wire_.schedule(when,
                       [self = shared_from_this(), from, moved = std::move(segment)]() mutable {
                           self->arrive(from, std::move(moved));
                       });
        return;
    }
    wire_.trace("{} lost {}", arrow(from), segment.bytes.size());
    if (attempt == kRetryCountMax) return fail(from, std::errc::timed_out);
    // Like TCP, it delivers in order: nothing else is sent until the lost segment got through.
    flows_[from].stalled = true;
    wire_.schedule(wire_.now() + retry_pause(attempt), [self = shared_from_this(), from, attempt,
                                                        moved = std::move(segment)]() mutable {
        if (self->ends_[from].gone) return;
        self->flows_[from].stalled = false;
        self->send(from, std::move(moved), attempt + 1);
        self->pump(from);
    });
}

void SimulatedConnection::arrive(End from, Segment segment) {
    const End to = other(from);
    Flow& flow = flows_[from];
    flow.in_flight -= segment.bytes.size();
    if (ends_[to].gone) return;
    wire_.trace("{} {}", arrow(from),
                segment.is_end ? "end" : fmt::format("data {}", segment.bytes.size()));
    // The program has closed this end: bytes that arrive now are answered by a reset.
    if (!ends_[to].open && !segment.bytes.empty()) {
        ends_[to].gone = true;
        return send_reset(to);
    }
    flow.arrived += segment.bytes;
    flow.end_arrived |= segment.is_end;
    ends_[to].readable.set();
    // The bytes are acknowledged at once, so the sender has room again.
    ends_[from].writable.set();
}

void SimulatedConnection::send_reset(End from) {
    if (is_segment_lost(from)) return;  // A reset is not sent again.
    wire_.schedule(arrival(from, 0), [self = shared_from_this(), from] {
        self->wire_.trace("{} reset", self->arrow(from));
        self->fail(other(from), std::errc::connection_reset);
    });
}

}  // namespace weft::aio
