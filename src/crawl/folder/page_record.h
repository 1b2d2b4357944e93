#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "archive/index/page_entry.h"
#include "archive/warc/warc_writer.h"
#include "crawl/visit/outcome.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// An outcome as the page log keeps it, and back.
archive::PageEntry to_entry(const Outcome& outcome);
Outcome to_outcome(const archive::PageEntry& entry);

// What a commit says: lines of robots.jsonl, and that of a page which has ended; either may be
// empty. In one text they are parted by an empty line, if there are any of the former.
struct CommittedLines {
    std::string_view robots;
    std::string_view page;
};
CommittedLines split_committed(std::string_view outcome);

// A visit on its way into the archive and the logs: what a commit writes, and what it tells
// afterwards. Shared between the loop and the thread that commits, which come one after the other.
class PageRecord {
public:
    // Of a URL that has ended. `writer` may be null or the captures absent: nothing is archived.
    PageRecord(Outcome outcome, std::optional<archive::Capture> capture,
               std::vector<archive::Capture> robots, archive::WarcWriter* writer);

    // Of one to be tried again: only what was learnt of its robots.txt is kept.
    PageRecord(std::vector<archive::Capture> robots, archive::WarcWriter* writer);

    // Writes robots.txt, then the page, into the same file; called once, by the frontier's
    // committer. Throws IoError. What cannot be made a record of is not archived; of a page that is
    // noted.
    frontier::Kept keep();

    // After the commit: with its place in the archive. REQUIRES: the URL has ended.
    Outcome take_outcome() { return *std::move(outcome_); }

private:
    void keep_robots(frontier::Kept& kept);
    void keep_page(frontier::Kept& kept);

    std::optional<Outcome> outcome_;  // Nothing: to be tried again.
    std::vector<archive::Capture> robots_;
    archive::WarcWriter* writer_;
    std::shared_ptr<archive::AnnouncedCapture> capture_;  // Null: nothing to archive, or done.
};

}  // namespace weft::crawl
