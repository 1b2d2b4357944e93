#pragma once

#include <memory>

#include "aio/net/ares_resolver.h"
#include "aio/net/network.h"

namespace weft::aio {

// Whether this machine has the address now, so that connections can be made from it.
bool is_own_address(const IpAddress& address);

// The machine's own TCP sockets and name servers, on the running loop's selector. For one loop.
class SocketNetwork final : public Network {
public:
    explicit SocketNetwork(ResolverOptions resolver_options = {});
    ~SocketNetwork() override;

    Co<std::unique_ptr<Transport>> connect(Endpoint endpoint,
                                           std::optional<IpAddress> local) override;
    std::unique_ptr<Listener> listen(Endpoint endpoint, ListenOptions options) override;
    Resolver& resolver() override;
    bool has_route(const IpAddress& address) const override;
    void on_shutdown() noexcept override;

private:
    ResolverOptions resolver_options_;
    std::unique_ptr<Resolver> resolver_;  // Created at the first use.
};

}  // namespace weft::aio
