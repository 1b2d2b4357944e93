#pragma once

#include <string>

#include "cli/options/show_options.h"
#include "crawl/visit/outcome.h"

namespace weft::cli {

// What became of a URL, for people: "     200   12.3 KiB   45 ms  http://a.test/". In place of a
// status how it ended, and behind the URL the class of the failure or where a redirect leads. One
// line whatever servers say, without its end.
std::string outcome_line(const crawl::Outcome& outcome);

// What else is known of it: further lines, indented, each with its end. May be empty.
std::string outcome_details(const crawl::Outcome& outcome);

// Tells both as `show` has it, or nothing; in colour if the link is broken.
void tell_outcome(const crawl::Outcome& outcome, const Show& show, Progress& progress);

}  // namespace weft::cli
