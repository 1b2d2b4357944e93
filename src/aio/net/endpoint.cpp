#include "aio/net/endpoint.h"

#include <algorithm>

#include <arpa/inet.h>
#include <fmt/compile.h>
#include <fmt/format.h>

namespace weft::aio {

IpAddress IpAddress::v4(std::array<std::uint8_t, 4> bytes) {
    IpAddress address;
    std::ranges::copy(bytes, address.bytes_.begin());
    return address;
}

IpAddress IpAddress::v6(std::array<std::uint8_t, 16> bytes) {
    IpAddress address;
    address.bytes_ = bytes;
    address.is_v4_ = false;
    return address;
}

std::optional<IpAddress> IpAddress::parse(std::string_view text) {
    if (text.size() > INET6_ADDRSTRLEN) return std::nullopt;
    const std::string terminated(text);
    std::array<std::uint8_t, 4> four;
    if (inet_pton(AF_INET, terminated.c_str(), four.data()) == 1) return v4(four);
    std::array<std::uint8_t, 16> sixteen;
    if (inet_pton(AF_INET6, terminated.c_str(), sixteen.data()) == 1) return v6(sixteen);
    return std::nullopt;
}

std::string IpAddress::to_string() const {
    if (is_v4_) {  // inet_ntop() would use sprintf().
        return fmt::format(FMT_COMPILE("{}.{}.{}.{}"), bytes_[0], bytes_[1], bytes_[2], bytes_[3]);
    }
    char text[INET6_ADDRSTRLEN];
    inet_ntop(AF_INET6, bytes_.data(), text, sizeof text);
    return text;
}

std::string Endpoint::to_string() const {
    if (address.is_v6()) return fmt::format("[{}]:{}", address.to_string(), port);
    return fmt::format(FMT_COMPILE("{}:{}"), address.to_string(), port);
}

}  // namespace weft::aio
