#pragma once

#include <string>

#include "aio/task/co.h"
#include "cli/crawl/progress.h"
#include "crawl/extract/archive_extraction.h"

namespace weft::cli {

// Shows the progress of `weft extract` on standard error: a line that is redrawn on a terminal,
// else a line every ten seconds.
class ExtractProgress {
public:
    // `numbers` outlives it.
    ExtractProgress(ProgressForm form, const crawl::ExtractionNumbers& numbers)
        : form_(form), numbers_(numbers) {}

    aio::Co<> run();  // Until it is cancelled.

    // Prints a message, above the line.
    void say(const std::string& message);

    // Removes the line, or prints the last numbers as JSON.
    void finish();

private:
    std::string shown() const;
    std::string json() const;

    ProgressForm form_;
    const crawl::ExtractionNumbers& numbers_;
    bool has_line_ = false;
};

}  // namespace weft::cli
