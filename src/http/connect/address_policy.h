#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "aio/net/endpoint.h"
#include "http/connect/address_range.h"
#include "http/connect/origin.h"
#include "web/url/url.h"

namespace weft::http {

// Which addresses and ports a client may connect to (H34, H116-H119). It judges the very address
// that connect() gets, for each hop and each retry. So neither an odd spelling of a host nor a name
// server can get around it.
//
// Denied unless allowed: addresses outside the public internet (http/connect/special_address.h),
// that is this machine, private networks and link-local addresses (where clouds keep their
// metadata); and ports of services other than the web (http/connect/blocked_port.h).
//
// A URL that the user typed is intended: if its host is an address or `localhost`, its origin, and
// no other origin, may use that address. A name never opens an address, because the owner of the
// name chooses the address.
//
// A value, used on one loop's thread.
class AddressPolicy {
public:
    AddressPolicy() = default;

    // Allows a range, or a port, for all origins.
    void allow(AddressRange network) {
        allowed_.push_back(network);
        ++revision_;
    }
    void allow_port(std::uint16_t port) { ports_.push_back(port); }

    // Opens the port of a URL that the user typed, and its address if the host is an address or
    // `localhost`, for the URL's origin. REQUIRES: typed.is_http()
    void open(const web::Url& typed);

    // Denies one of our own listeners, whatever else is allowed. If it listens on every address
    // (0.0.0.0, ::), its port is denied on all addresses of this machine and on all that are not
    // public.
    void deny(aio::Endpoint endpoint) {
        own_.push_back(endpoint);
        ++revision_;
    }

    // Why an address is denied. The views are valid forever.
    struct Denial {
        std::string_view range;    // The kind of address: "loopback".
        std::string_view network;  // "127.0.0.0/8"; empty: our own listener, always denied.
    };

    // Why a connection to the endpoint for the URL is denied, or nothing if it is allowed.
    std::optional<Denial> denies(const aio::Endpoint& endpoint, const web::Url& url) const;

    // Whether the URL's port belongs to another service and is neither allowed nor typed.
    bool denies_port(const web::Url& url) const;

    // Changes whenever the rules for addresses change. A kept connection that was judged under
    // another revision must be judged again.
    std::uint32_t revision() const { return revision_; }

private:
    bool is_own(const aio::Endpoint& endpoint, const aio::IpAddress& judged) const;
    bool opens(const aio::IpAddress& address, const web::Url& url) const;

    std::vector<AddressRange> allowed_;
    std::vector<std::uint16_t> ports_;
    std::set<Origin> typed_;          // Typed origins that open an address or a port.
    std::vector<aio::Endpoint> own_;  // Our own listeners.
    std::uint32_t revision_ = 0;
};

// The address, if the URL's host is an address and not a name. "localhost" is a name.
std::optional<aio::IpAddress> written_address(const web::Url& url);

}  // namespace weft::http
