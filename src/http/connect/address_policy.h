#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "aio/net/endpoint.h"
#include "http/connect/ip_network.h"
#include "http/connect/origin.h"
#include "web/url/url.h"

namespace weft::http {

// Which addresses and ports a client may connect to (H34, H116-H119). Asked with the very address
// that connect() gets, for each hop and each retry, so that no spelling and no name server can get
// round it.
//
// Denied unless allowed: what is no address of the public internet
// (http/connect/special_address.h): this machine, private networks, link-local (where clouds keep
// their metadata); and ports of other services than the web (http/connect/blocked_port.h).
//
// What a user types is meant: an origin whose host is an address, or `localhost`, opens that
// address for itself alone. A name opens nothing, for its owner chooses where it leads.
class AddressPolicy {
public:
    AddressPolicy() = default;

    // For all origins.
    void allow(Network network) {
        allowed_.push_back(network);
        ++revision_;
    }
    void allow_port(std::uint16_t port) { ports_.push_back(port); }

    // The user typed this URL: its port is meant, and its address, if it has one written in it.
    // REQUIRES: typed.is_http()
    void open(const web::Url& typed);

    // Denied whatever is allowed: our own listeners. One that listens on every address (0.0.0.0,
    // ::) denies its port on all addresses of this machine, and on all that are not public.
    void deny(aio::Endpoint endpoint) {
        own_.push_back(endpoint);
        ++revision_;
    }

    struct Denial {
        std::string_view range;    // What the address is: "loopback".
        std::string_view network;  // "127.0.0.0/8"; empty: our own listener, which nothing opens.
    };

    // Why a connection to the endpoint for the URL is denied, or nothing if it is allowed.
    std::optional<Denial> denies(const aio::Endpoint& endpoint, const web::Url& url) const;

    // Whether the URL's port is one of other services, and was not typed.
    bool denies_port(const web::Url& url) const;

    // Changes with every change: what was judged under another must be judged again.
    std::uint32_t revision() const { return revision_; }

private:
    bool is_own(const aio::Endpoint& endpoint, const aio::IpAddress& judged) const;
    bool opens(const aio::IpAddress& address, const web::Url& url) const;

    std::vector<Network> allowed_;
    std::vector<std::uint16_t> ports_;
    std::set<Origin> typed_;  // Those that open something.
    std::vector<aio::Endpoint> own_;
    std::uint32_t revision_ = 0;
};

// The address that a URL has written in it. "localhost" has none.
std::optional<aio::IpAddress> written_address(const web::Url& url);

}  // namespace weft::http
