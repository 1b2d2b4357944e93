#pragma once

#include <string>

#include "cli/options/show_options.h"
#include "crawl/visit/outcome.h"

namespace weft::cli {

// The outcome of a URL for people: "     200   12.3 KiB   45 ms  http://a.test/". Without a status,
// it says how the visit ended. Behind the URL is the class of the failure, or the target of a
// redirect. Always one line, whatever servers send, and without a line end.
std::string outcome_line(const crawl::Outcome& outcome);

// Further facts: indented lines, each with a line end. May be empty.
std::string outcome_details(const crawl::Outcome& outcome);

// Prints both as `show` says, or nothing; in colour if the link is broken.
void tell_outcome(const crawl::Outcome& outcome, const Show& show, Progress& progress);

}  // namespace weft::cli
