#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "aio/net/endpoint.h"
#include "aio/task/co.h"

namespace weft::aio {

// A UDP socket on the running loop, which resumes the waiting tasks. One task may send and one may
// receive at a time. The destructor closes it, and a wait in progress ends with IoError.
class DatagramSocket {
public:
    // Port 0 picks a free port. Throws IoError.
    explicit DatagramSocket(Endpoint local);
    ~DatagramSocket();
    DatagramSocket(DatagramSocket&&) noexcept;
    DatagramSocket& operator=(DatagramSocket&&) noexcept;

    // Waits until the system has taken the datagram; whether it arrives is not known. Throws
    // IoError (too long, unreachable). If it is cancelled, nothing was sent.
    Co<> send_to(std::string_view bytes, Endpoint peer);

    struct Datagram {
        std::string bytes;
        Endpoint peer;
    };
    // The next datagram, cut off at `bytes_max`. If it is cancelled, none is lost.
    Co<Datagram> receive_from(std::size_t bytes_max = 65'535);

    Endpoint local() const;

private:
    class Socket;
    std::unique_ptr<Socket> socket_;
};

}  // namespace weft::aio
