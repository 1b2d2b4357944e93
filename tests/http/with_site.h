#pragma once

#include <utility>

#include "aio/simulated/simulation.h"
#include "aio/task/task_group.h"
#include "http/client/client.h"
#include "support/test_site.h"

namespace weft::http {

inline ClientOptions local_options() {
    ClientOptions options;
    options.addresses.allow(*AddressRange::parse("127.0.0.0/8"));
    return options;
}

// Runs `body(site, client)` beside the site's server, in virtual time.
template <class Body>
void with_site(Body body, ClientOptions options = local_options()) {
    aio::SimulatedLoop().run([](Body inner, ClientOptions client_options) -> aio::Co<> {
        tests::TestSite site;
        co_await aio::task_group([&](aio::TaskGroup& group) -> aio::Co<> {
            group.create_task(site.serve());
            Client client(std::move(client_options));
            co_await inner(site, client);
            group.cancel();
        });
    }(std::move(body), std::move(options)));
}

// How a fetch failed; a test failure if it did not.
inline aio::Co<FetchError> failure_of(aio::Co<Response> fetching) {
    try {
        const Response response = co_await std::move(fetching);
        ADD_FAILURE() << "an answer came: " << response.status;
    } catch (const FetchError& error) {
        co_return error;
    }
    co_return FetchError(Failure::bad_request, "none");
}

}  // namespace weft::http
