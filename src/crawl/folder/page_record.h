#pragma once

#include <memory>
#include <optional>
#include <string_view>
#include <vector>

#include "archive/warc/warc_writer.h"
#include "crawl/folder/page_files.h"
#include "crawl/visit/outcome.h"
#include "frontier/frontier.h"

namespace weft::crawl {

// The outcome text of a commit holds the lines for robots.jsonl and the line of a page that has
// ended; either may be empty. If there are robots lines, an empty line follows them.
struct CommittedLines {
    std::string_view robots;
    std::string_view page;
};
CommittedLines split_committed(std::string_view outcome);

// The result of a visit on its way into the archive and the logs. The loop makes it, the commit
// calls write(), and then the loop takes the outcome back. It is shared between the loop and the
// committing thread, which use it one after the other, never at once.
class PageRecord final : public frontier::PageToWrite {
public:
    // What a visit has of a page besides its outcome. Each may be empty.
    struct Parts {
        std::optional<archive::Capture> capture = {};
        std::vector<archive::Capture> robots = {};
        std::string text_line = {};  // For text.jsonl.
    };

    // For a URL that has ended. Without a writer or captures nothing is archived.
    PageRecord(Outcome outcome, Parts parts, PageFiles files);

    // For a URL that will be tried again: only its robots.txt is archived.
    PageRecord(std::vector<archive::Capture> robots, archive::WarcWriter* writer);

    // Writes the robots.txt captures and then the page into the same WARC file, and its text.
    // Called once, by the frontier's committer. Throws IoError. An exchange that cannot become a
    // record is not archived; for a page the outcome's reason says so.
    void write(frontier::Completion& completion) override;

    // The outcome with its position in the archive. REQUIRES: the URL has ended, and the commit is
    // done.
    Outcome take_outcome() { return *std::move(outcome_); }

private:
    void write_robots(frontier::Completion& completion);
    void write_page(frontier::Completion& completion);

    std::optional<Outcome> outcome_;  // Empty: the URL will be tried again.
    std::vector<archive::Capture> robots_;
    archive::WarcWriter* writer_;
    TextLog* text_ = nullptr;
    std::string text_line_;
    std::shared_ptr<archive::Capture> capture_;  // Null: nothing to archive, or done.
};

}  // namespace weft::crawl
