#pragma once

#include <memory>

#include "cli/options/crawl_options.h"
#include "cli/options/settings.h"
#include "crawl/run/crew.h"

// One worker of a crawl on several machines.
namespace weft::cli {

// Throws a UsageError for options that such a crawl does not have yet.
void refuse_with_cluster(const CrawlJob& job);

// Prepares the job to have its frontier in Redis, if it is such a crawl: FolderOptions::frontier
// opens it, and creates the crawl if it is a new one. Throws UsageError.
void set_cluster(CrawlJob& job);

// Joins the crew and its frontier, for as long as it lives. Null if the frontier is not in Redis.
class ClusterLink {
public:
    virtual ~ClusterLink() = default;
};
std::unique_ptr<ClusterLink> link_to_cluster(const CrawlJob& job, crawl::Crew& crew);

// `resume`: the address that the folder keeps, unless one is given. Empty: its queue is in it.
void settle_cluster(CrawlJob& job);

// `join`: takes the options of the crawl from Redis. Throws UsageError for options that belong to
// the crawl.
void settle_join(CLI::App& command, CrawlJob& job, const SettingSources& sources);
int run_join(const CLI::App& command, CrawlJob& job);

}  // namespace weft::cli
