#pragma once

#include <cstdint>
#include <expected>
#include <optional>
#include <string>
#include <string_view>

#include "aio/net/endpoint.h"
#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "http/connect/proxy.h"

// SOCKS 5 (RFC 1928), with user and password (RFC 1929).
namespace weft::http {

struct SocksTarget {
    std::string host;                       // For the proxy to look up,
    std::optional<aio::IpAddress> address;  // unless the address is known.
    std::uint16_t port = 0;
};

// Asks the proxy at the other end to lead to `target`; after that the stream is one to it. Throws
// ProxyRefusal, IoError, IncompleteReadError. `proxy` outlives the call.
aio::Co<> socks_connect(aio::Stream& stream, const Proxy& proxy, SocksTarget target);

// The bytes of the request; nothing for a host that does not fit.
std::optional<std::string> socks_request(const SocksTarget& target);

// What the reply's code says: "the rules forbid it"; empty for success.
std::string_view describe_socks_reply(std::uint8_t code);

}  // namespace weft::http
