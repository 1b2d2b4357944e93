#pragma once

#include <array>
#include <cstdint>
#include <memory>
#include <string>
#include <system_error>

#include "aio/loop/io_waiter.h"
#include "aio/net/endpoint.h"
#include "aio/net/transport.h"
#include "aio/simulated/simulated_host.h"
#include "aio/simulated/simulated_wire.h"

namespace weft::aio {

// A simulated TCP connection as the programs at its two ends see it.
//
// Each direction has a send buffer and a receive buffer: write() takes what fits into the first,
// bytes travel while the second has room, so a peer that does not read stops a writer. Lost
// segments are sent again after a pause that doubles, and what follows them waits; after
// kRetryCountMax the sender's end has timed out. The end of the stream (shutdown_write, or close
// with everything read) travels behind the data; closing with bytes unread, or getting bytes after
// closing, resets. What arrived before a reset can still be read; then the error is told once.
//
// Simpler than TCP: acknowledgements and window updates travel at once and are never lost.
class SimulatedConnection : public std::enable_shared_from_this<SimulatedConnection> {
public:
    enum End : std::size_t { client = 0, server = 1 };

    struct Place {
        Endpoint endpoint;
        SimulatedHost& host;
    };

    SimulatedConnection(SimulatedWire& wire, const SimulatedPartitions& partitions, Place from,
                        Place to);

    // For the transports at its ends.
    IoResult read(End end, std::span<char> room);
    IoResult write(End end, std::string_view bytes);
    void shutdown_write(End end);
    void close(End end);
    IoSide& readable(End end) { return ends_[end].readable; }
    IoSide& writable(End end) { return ends_[end].writable; }
    std::error_code take_error(End end) { return std::exchange(ends_[end].error, {}); }
    const Endpoint& endpoint(End end) const { return places_[end].endpoint; }

    // For the network. An end is gone when nothing it sends or is sent means anything any more.
    bool is_gone(End end) const { return ends_[end].gone; }
    bool touches(const SimulatedHost& host) const;
    void establish();                     // The client may write.
    void fail(End end, std::errc error);  // Told at this end at once, and only there.
    void abort(End end);                  // Reset here now, at the other end a latency later.
    void lose() { lost_ = true; }         // Nothing gets through any more, in silence.
    bool is_segment_lost(End from);       // By chance, partition or lose().
    std::string arrow(End from) const;    // "a.test:80 > here:49152", for the trace.
    TimePoint arrival(End from, std::size_t bytes);  // Of what leaves now; in order.

    static constexpr unsigned kRetryCountMax = 15;

private:
    struct EndState {
        IoSide readable;
        IoSide writable;
        std::error_code error;
        bool open = true;  // A program holds it.
        bool gone = false;
    };

    // What one end sends the other.
    struct Flow {
        std::string unsent;
        std::size_t in_flight = 0;
        std::string arrived;
        std::uint64_t sent_total = 0;
        TimePoint last_arrival{};
        bool stalled = false;  // The first segment was lost and will be sent again.
        bool end_wanted = false;
        bool end_sent = false;
        bool end_arrived = false;
    };

    struct Segment {
        std::string bytes;
        bool is_end = false;
    };

    static End other(End end) { return end == client ? server : client; }

    void pump(End from);
    void send(End from, Segment segment, unsigned attempt);
    void arrive(End from, Segment segment);
    void send_reset(End from);
    bool must_reset(End from) const;

    SimulatedWire& wire_;
    const SimulatedPartitions& partitions_;
    std::array<Place, 2> places_;
    std::array<EndState, 2> ends_;
    std::array<Flow, 2> flows_;  // By sender.
    bool established_ = false;
    bool lost_ = false;
};

// One end of a connection, as a program holds it.
std::unique_ptr<Transport> make_simulated_transport(std::shared_ptr<SimulatedConnection> connection,
                                                    SimulatedConnection::End end);

}  // namespace weft::aio
