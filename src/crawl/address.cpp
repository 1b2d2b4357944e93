#include "crawl/address.h"

#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "aio/errors.h"
#include "aio/loop.h"
#include "aio/network.h"
#include "aio/timeout.h"
#include "base/escape.h"
#include "http/failure.h"

namespace weft::crawl {

aio::Co<aio::IpAddress> address_of(const web::Url& url, Duration limit) {
    std::string_view host = url.hostname();
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    if (const auto literal = aio::IpAddress::parse(host)) co_return *literal;
    try {
        aio::Resolver& resolver = aio::EventLoop::running().network().resolver();
        const aio::Resolution found =
            co_await aio::wait_for(resolver.resolve(std::string(host)), limit);
        co_return *std::ranges::min_element(found.addresses);
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
