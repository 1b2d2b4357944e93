#pragma once

#include <memory>

#include "aio/net/ares_resolver.h"
#include "aio/net/network.h"

namespace weft::aio {

// Whether connections can be made from the address: this machine has it now.
bool is_own_address(const IpAddress& address);

// The machine's own TCP sockets and name servers, on the running loop's selector.
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
    std::unique_ptr<Resolver> resolver_;  // Made when first asked for.
};

}  // namespace weft::aio
