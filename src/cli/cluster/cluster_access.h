#pragma once

#include <memory>
#include <string>

#include "aio/task/co.h"
#include "cli/options/crawl_options.h"
#include "cluster/crawl_record.h"
#include "redis/address.h"
#include "redis/cluster.h"

namespace weft::cli {

// Where a crawl on several machines is, as typed. Throws a UsageError that says how to write it.
redis::Address cluster_address(const ClusterArguments& arguments);

// How to log in there.
redis::ConnectionOptions cluster_connection(const redis::Address& address,
                                            const ClusterArguments& arguments);

// Connects, and gives up soon: the address may be wrong. REQUIRES: called on a loop.
aio::Co<std::unique_ptr<redis::Cluster>> connect_to(redis::Address address,
                                                    ClusterArguments arguments);

// The record of the crawl that the address names. Throws UsageError if there is none, or if another
// version of weft made it.
aio::Co<cluster::CrawlRecord> demand_crawl(redis::Cluster& cluster, redis::Address address);

}  // namespace weft::cli
