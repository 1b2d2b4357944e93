#include "aio/net/socket_address.h"

#include <algorithm>
#include <cstring>

#include <fmt/format.h>
#include <netinet/in.h>
#include <sys/un.h>

#include "aio/task/errors.h"

namespace weft::aio::detail {

SocketAddress::SocketAddress(const Endpoint& endpoint) {
    const auto& bytes = endpoint.address.bytes();
    if (endpoint.address.is_v4()) {
        auto& v4 = reinterpret_cast<sockaddr_in&>(storage_);
        v4.sin_family = AF_INET;
        v4.sin_port = htons(endpoint.port);
        std::memcpy(&v4.sin_addr, bytes.data(), 4);
        size_ = sizeof v4;
    } else {
        auto& v6 = reinterpret_cast<sockaddr_in6&>(storage_);
        v6.sin6_family = AF_INET6;
        v6.sin6_port = htons(endpoint.port);
        std::memcpy(&v6.sin6_addr, bytes.data(), 16);
        size_ = sizeof v6;
    }
}

SocketAddress::SocketAddress(const sockaddr* address, socklen_t size)
    : size_(std::min<socklen_t>(size, sizeof storage_)) {
    std::memcpy(&storage_, address, size_);
}

SocketAddress::SocketAddress(const std::filesystem::path& path) {
    auto& local = reinterpret_cast<sockaddr_un&>(storage_);
    const std::string text = path.string();
    // The path is stored with its final zero: 107 bytes at most on Linux (unix(7)).
    if (text.size() >= sizeof local.sun_path) {
        throw IoError(fmt::format("cannot use {} as a unix socket", text),
                      std::make_error_code(std::errc::filename_too_long));
    }
    local.sun_family = AF_UNIX;
    std::memcpy(local.sun_path, text.c_str(), text.size() + 1);
    size_ = sizeof local;
}

Endpoint SocketAddress::endpoint() const {
    if (storage_.ss_family == AF_INET) {
        const auto& v4 = reinterpret_cast<const sockaddr_in&>(storage_);
        std::array<std::uint8_t, 4> bytes;
        std::memcpy(bytes.data(), &v4.sin_addr, 4);
        return {IpAddress::v4(bytes), ntohs(v4.sin_port)};
    }
    if (storage_.ss_family != AF_INET6) return {};
    const auto& v6 = reinterpret_cast<const sockaddr_in6&>(storage_);
    std::array<std::uint8_t, 16> bytes;
    std::memcpy(bytes.data(), &v6.sin6_addr, 16);
    return {IpAddress::v6(bytes), ntohs(v6.sin6_port)};
}

Endpoint local_endpoint(int fd) {
    SocketAddress address;
    getsockname(fd, address.get(), &address.size());
    return address.endpoint();
}

}  // namespace weft::aio::detail
