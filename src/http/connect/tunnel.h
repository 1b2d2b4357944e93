#pragma once

#include <string>

#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "base/error.h"
#include "http/connect/proxy.h"

namespace weft::http {

// The proxy said no. `what` tells why, of the proxy as "it".
class ProxyRefusal : public Error {
public:
    explicit ProxyRefusal(const std::string& what, bool wants_credentials = false)
        : Error(what), wants_credentials_(wants_credentials) {}

    bool wants_credentials() const { return wants_credentials_; }

private:
    bool wants_credentials_;
};

// Asks the HTTP proxy at the other end for a tunnel to `authority` ("example.com:443") with CONNECT
// (RFC 9110, 9.3.6); after that the stream is one to it. Throws ProxyRefusal, IoError. Only the
// proxy sees its credentials. `proxy` outlives the call.
aio::Co<> tunnel(aio::Stream& stream, const Proxy& proxy, std::string authority,
                 std::string user_agent);

}  // namespace weft::http
