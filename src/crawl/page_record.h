#pragma once

#include <memory>
#include <optional>

#include "archive/page_entry.h"
#include "archive/warc_writer.h"
#include "crawl/outcome.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// An outcome as the page log keeps it, and back.
archive::PageEntry to_entry(const Outcome& outcome);
Outcome to_outcome(const archive::PageEntry& entry);

// A page on its way into the archive and the page log: what a commit writes, and what it tells
// afterwards. Shared between the loop and the thread that commits, which come one after the other.
class PageRecord {
public:
    // `writer` may be null or the capture absent: nothing is archived.
    PageRecord(Outcome outcome, std::optional<archive::Capture> capture,
               archive::WarcWriter* writer);

    // Writes the page; called once, by the frontier's committer. Throws IoError. A page that cannot
    // be made a record of is noted as such and not archived.
    frontier::Kept keep();

    // After the commit: with its place in the archive.
    Outcome take_outcome() { return std::move(outcome_); }

private:
    Outcome outcome_;
    archive::WarcWriter* writer_;
    std::shared_ptr<archive::AnnouncedCapture> capture_;  // Null: nothing to archive, or done.
};

}  // namespace weft::crawl
