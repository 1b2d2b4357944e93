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

// A simulated TCP connection, as the programs at its two ends see it. Owned by the transports at
// its ends and by the events on the wire; on one thread.
//
// Each direction has a send buffer and a receive buffer. write() takes what fits into the first;
// bytes travel while the second has room, so a peer that does not read stops the writer. A lost
// segment is sent again after a pause that doubles each time, and later bytes wait behind it; after
// kRetryCountMax retries the sender's end times out. The end of the stream (by shutdown_write(), or
// by a close after everything was read) travels behind the data. Closing with unread bytes, or
// receiving bytes after closing, resets the connection. What arrived before a reset can still be
// read; then the error is reported once.
//
// Simpler than TCP: acknowledgements and window updates take no time and are never lost.
class SimulatedConnection : public std::enable_shared_from_this<SimulatedConnection> {
public:
    enum End : std::size_t { client = 0, server = 1 };

    // One end: its address and its machine.
    struct ConnectionEnd {
        Endpoint endpoint;
        SimulatedHost& host;
    };

    SimulatedConnection(SimulatedWire& wire, const SimulatedPartitions& partitions,
                        ConnectionEnd from, ConnectionEnd to);

    // For the transports at the two ends.
    IoResult read(End end, std::span<char> room);
    IoResult write(End end, std::string_view bytes);
    void shutdown_write(End end);
    void close(End end);
    IoSide& readable(End end) { return ends_[end].readable; }
    IoSide& writable(End end) { return ends_[end].writable; }
    std::error_code take_error(End end) { return std::exchange(ends_[end].error, {}); }
    const Endpoint& endpoint(End end) const { return places_[end].endpoint; }

    // For the network. An end is gone when it neither sends nor receives anything any more.
    bool is_gone(End end) const { return ends_[end].gone; }
    bool touches(const SimulatedHost& host) const;
    void establish();                     // The client may write now.
    void fail(End end, std::errc error);  // Reports the error at this end at once, and only there.
    // Resets this end now, and the other end after the latency.
    void abort(End end);
    void lose() { lost_ = true; }       // From now on nothing gets through, without any sign.
    bool is_segment_lost(End from);     // By chance, by a partition or by lose().
    std::string arrow(End from) const;  // "a.test:80 > here:49152", for the trace.
    // When bytes that leave now arrive; never before earlier ones.
    TimePoint arrival(End from, std::size_t bytes);

    static constexpr unsigned kRetryCountMax = 15;

private:
    // What one end knows. `error` is reported by the next read or write, once.
    struct EndState {
        IoSide readable;
        IoSide writable;
        std::error_code error;
        bool open = true;  // A transport holds it.
        bool gone = false;
    };

    // What one end sends to the other.
    struct Flow {
        std::string unsent;
        std::size_t in_flight = 0;
        std::string arrived;
        std::uint64_t sent_total = 0;
        TimePoint last_arrival{};
        bool stalled = false;  // The first segment was lost and waits to be sent again.
        bool end_wanted = false;
        bool end_sent = false;
        bool end_arrived = false;
    };

    // What travels in one piece: bytes, or the end of the stream.
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
    std::array<ConnectionEnd, 2> places_;
    std::array<EndState, 2> ends_;
    std::array<Flow, 2> flows_;  // Indexed by the sender.
    bool established_ = false;
    bool lost_ = false;
};

// The transport of one end. Destroying it closes that end.
std::unique_ptr<Transport> make_simulated_transport(std::shared_ptr<SimulatedConnection> connection,
                                                    SimulatedConnection::End end);

}  // namespace weft::aio
