#pragma once

#include "aio/sync/lock.h"
#include "aio/task/co.h"
#include "crawl/politeness/network_watch.h"
#include "crawl/run/config.h"
#include "crawl/run/shared_state.h"
#include "crawl/visit/outcome.h"
#include "http/client/client_options.h"
#include "web/url/url.h"

namespace weft::crawl {

struct ActiveVisit;

// Tells a dead host from a lost network: brings answers and failures to the NetworkWatch that all
// crawlers share, and asks its witnesses.
//
// Owned by the Crawler, used on its loop.
class NetworkJudge {
public:
    // The arguments outlive the judge. `client` says how hosts are reached.
    NetworkJudge(const Config& config, SharedState& shared, const http::ClientOptions& client)
        : config_(config), shared_(shared), client_(client) {}

    // A host has answered, if the outcome has an address. It may become a witness.
    void note_answer(const Outcome& outcome, const web::Url& url, std::uint64_t domain_key);

    // Whether a failure is the host's or the network's. A URL that fails because nothing can be
    // reached is not given up: it waits for the next run, or for the name servers. `began`: when
    // the try began. One task of this crawler asks the witnesses; the others wait for its verdict.
    // If that task is cancelled, the next one asks.
    aio::Co<NetworkState> judge(const ActiveVisit& visit, TimePoint began);

    // Whether the crawl goes on in this state. If only the name servers are silent, it does as long
    // as hosts with known addresses answer.
    bool goes_on(NetworkState state) const;

private:
    const Config& config_;
    SharedState& shared_;
    const http::ClientOptions& client_;
    aio::Lock asking_;  // Held by the one task that asks the witnesses.
};

}  // namespace weft::crawl
