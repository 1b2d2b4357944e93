#include "crawl/politeness/address.h"

#include <algorithm>
#include <vector>

#include "http/client/fetch_clock.h"
#include "http/connect/look_up.h"

namespace weft::crawl {

bool asks_name_servers(const web::Url& url, const http::ClientOptions& client) {
    const auto proxy = client.proxies.choose(url);
    if (proxy && *proxy) return false;
    return http::asks_name_servers(http::HostPort::of(url), client);
}

aio::Co<std::optional<aio::IpAddress>> address_of(const web::Url& url,
                                                  const http::ClientOptions& client) {
    const auto proxy = client.proxies.choose(url);
    if (proxy && *proxy && (*proxy)->resolves()) co_return std::nullopt;
    const http::HostPort place = http::HostPort::of(url);
    http::FetchClock clock(url.host(), Duration::max());  // Only the DNS timeout limits this.
    std::vector<aio::IpAddress> addresses = co_await http::look_up(place, client, clock);
    // Addresses that the policy denies are never connected to. If it denies all of them, the fetch
    // reports that failure itself.
    std::erase_if(addresses, [&](const aio::IpAddress& address) {
        return client.addresses.denies({address, place.port}, url).has_value();
    });
    if (addresses.empty()) co_return std::nullopt;
    co_return *std::ranges::min_element(addresses);
}

}  // namespace weft::crawl
