#pragma once

#include <filesystem>

#include <sys/socket.h>

#include "aio/net/endpoint.h"

namespace weft::aio::detail {

// An address in the form of the system calls.
class SocketAddress {
public:
    SocketAddress() = default;
    explicit SocketAddress(const Endpoint& endpoint);
    SocketAddress(const sockaddr* address, socklen_t size);

    // A unix socket's address. Throws IoError if the path is too long.
    explicit SocketAddress(const std::filesystem::path& path);

    sockaddr* get() { return reinterpret_cast<sockaddr*>(&storage_); }
    socklen_t& size() { return size_; }

    // The internet address; 0.0.0.0:0 for other families.
    Endpoint endpoint() const;

private:
    sockaddr_storage storage_{};
    socklen_t size_ = sizeof(sockaddr_storage);
};

Endpoint local_endpoint(int fd);

}  // namespace weft::aio::detail
