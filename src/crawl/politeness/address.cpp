#include "crawl/politeness/address.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/net/network.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "base/escape.h"
#include "http/client/failure.h"

namespace weft::crawl {

namespace {

// Of the family that may be used.
std::optional<aio::IpAddress> least_of(std::vector<aio::IpAddress> addresses,
                                       http::AddressFamily family) {
    if (family != http::AddressFamily::any) {
        const bool wants_v4 = family == http::AddressFamily::v4;
        std::erase_if(addresses, [&](const auto& each) { return each.is_v4() != wants_v4; });
    }
    if (addresses.empty()) return std::nullopt;
    return *std::ranges::min_element(addresses);
}

std::string_view host_of(const web::Url& url) {
    std::string_view host = url.hostname();
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    return host;
}

auto find_fixed(const web::Url& url, const http::ClientOptions& client) {
    return std::ranges::find_if(client.fixed_addresses, [&](const auto& row) {
        return (row.host == host_of(url) || row.host == "*") && row.port == url.effective_port();
    });
}

}  // namespace

bool asks_name_servers(const web::Url& url, const Config& config) {
    const auto proxy = config.client.proxies.choose(url);
    if (proxy && *proxy) return false;
    return find_fixed(url, config.client) == config.client.fixed_addresses.end() &&
           !aio::IpAddress::parse(host_of(url));
}

aio::Co<std::optional<aio::IpAddress>> address_of(const web::Url& url, const Config& config) {
    const http::ClientOptions& client = config.client;
    const auto proxy = client.proxies.choose(url);
    if (proxy && *proxy && (*proxy)->resolves()) co_return std::nullopt;
    const std::string_view host = host_of(url);
    const auto fixed = find_fixed(url, client);
    if (fixed != client.fixed_addresses.end()) {
        co_return least_of(fixed->addresses, client.family);
    }
    if (const auto literal = aio::IpAddress::parse(host)) co_return *literal;
    try {
        aio::Resolver& resolver = aio::EventLoop::running().network().resolver();
        const aio::Resolution found =
            co_await aio::wait_for(resolver.resolve(std::string(host)), config.limits.dns_timeout);
        co_return least_of(found.addresses, client.family);
    } catch (const aio::ResolveError& error) {
        throw http::FetchError(
            error.is_temporary() ? http::Failure::dns_failed : http::Failure::no_such_host,
            error.what());
    } catch (const aio::TimeoutError&) {
        throw http::FetchError(
            http::Failure::dns_timeout,
            fmt::format("no answer from the name servers for {}", escape_for_terminal(host)));
    }
}

}  // namespace weft::crawl
