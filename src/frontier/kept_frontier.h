#pragma once

#include <map>
#include <string>

#include "aio/task/co.h"
#include "base/archive_place.h"
#include "base/clock.h"
#include "frontier/frontier.h"

namespace weft::frontier {

// What was found when the frontier was opened.
struct Recovered {
    bool was_there = false;  // If false, the store is new and all below is empty.

    // `lent` is 0: URLs that were lent when the crawl ended wait again, each at its old place.
    Counts counts;

    // For each file of the archive the last place that is committed. The bytes behind it belong to
    // visits that will be made again. Cut the file there (at offset + length) and sync it;
    // otherwise a loss of power may bring the old bytes back. A file that is not named holds
    // nothing that is committed.
    std::map<std::string, ArchivePlace, std::less<>> archived;

    // The committed size of each side file, which is to be cut and synced in the same way.
    std::map<std::string, std::uint64_t, std::less<>> sides;

    // What CrawlFiles::save() returned at the last checkpoint.
    std::string saved;

    // How long it takes until the first URL can be lent: their hosts asked for delays in the last
    // run.
    Duration first_wait{};
};

// A frontier from which a crawl can be continued: on disk (shards/disk_frontier.h), or of one
// worker of a crawl on several machines. The crawl's folder holds one and keeps its files in step
// with it.
class KeptFrontier : public Frontier {
public:
    virtual const Recovered& recovered() const = 0;

    // Makes a checkpoint now, with the result of CrawlFiles::save(). REQUIRES: nothing is lent, and
    // nothing else is called until it returns.
    virtual aio::Co<> checkpoint() = 0;

    // Syncs and closes everything: what was committed survives a loss of power, and another process
    // can open the folder. After it only counts() may be called.
    virtual aio::Co<> finish() = 0;
};

}  // namespace weft::frontier
