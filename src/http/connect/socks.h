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

// Where the proxy has to connect to.
struct SocksTarget {
    std::string host;  // The proxy looks it up, unless `address` is set.
    std::optional<aio::IpAddress> address;
    std::uint16_t port = 0;
};

// Asks the proxy at the other end of `stream` to connect to `target`. After that the stream leads
// to the target. Throws ProxyRefusal, IoError, IncompleteReadError. After a throw or a cancellation
// the stream is of no use. `stream` and `proxy` must outlive the call.
aio::Co<> socks_connect(aio::Stream& stream, const Proxy& proxy, SocksTarget target);

// The bytes of the CONNECT request; nothing if the host is empty or longer than 255 bytes.
std::optional<std::string> socks_request(const SocksTarget& target);

// What the code of a reply means: "its rules forbid it"; empty for success.
std::string_view describe_socks_reply(std::uint8_t code);

}  // namespace weft::http
