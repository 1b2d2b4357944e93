#pragma once

#include <filesystem>

#include <sys/socket.h>

#include "aio/net/endpoint.h"

namespace weft::aio::detail {

// An address as the system calls want it.
class SocketAddress {
public:
    SocketAddress() = default;
    explicit SocketAddress(const Endpoint& endpoint);
    SocketAddress(const sockaddr* address, socklen_t size);

    // Of a unix socket. Throws IoError if the path is too long for one.
    explicit SocketAddress(const std::filesystem::path& path);

    sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage_); }
    socklen_t& size() { return size_; }

    // Of an internet address; else 0.0.0.0:0.
    Endpoint endpoint() const;

private:
    sockaddr_storage storage_{};
    socklen_t size_ = sizeof(sockaddr_storage);
};

Endpoint local_endpoint(int fd);

}  // namespace weft::aio::detail
