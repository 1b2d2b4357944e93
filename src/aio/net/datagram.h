#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "aio/net/endpoint.h"
#include "aio/task/co.h"

namespace weft::aio {

// A UDP socket on the running loop, which resumes whoever waits for it. One task sends and one
// receives at a time. Destroyed, it closes, and a wait under way ends in IoError.
class DatagramSocket {
public:
    // Port 0 takes a free one. Throws IoError.
    explicit DatagramSocket(Endpoint local);
    ~DatagramSocket();
    DatagramSocket(DatagramSocket&&) noexcept;
    DatagramSocket& operator=(DatagramSocket&&) noexcept;

    // Waits until the system takes it; whether it arrives, nobody says. Throws IoError (too long,
    // unreachable). Cancelled, nothing was sent.
    Co<> send_to(std::string_view bytes, Endpoint peer);

    struct Datagram {
        std::string bytes;
        Endpoint peer;
    };
    // The next datagram, cut at `bytes_max`. Cancelled, none is lost.
    Co<Datagram> receive_from(std::size_t bytes_max = 65'535);

    Endpoint local() const;

private:
    class Socket;
    std::unique_ptr<Socket> socket_;
};

}  // namespace weft::aio
