#pragma once

#include <memory>
#include <string>

#include "cli/extract/extract_command.h"
#include "cli/extract/extract_sources.h"
#include "crawl/extract/extract_output.h"

namespace weft::cli {

// Where the result of `weft extract` goes.
struct ExtractTarget {
    std::string shown;                    // For the report; empty: standard output.
    std::unique_ptr<aio::FileLock> lock;  // No crawl writes to the folder meanwhile.
    std::unique_ptr<crawl::ExtractOutput> output;
};

// `rules` may be null; it and the sources outlive the target. Throws UsageError if the folder of
// the crawl is in use, or if the file there is not for us to replace; IoError.
ExtractTarget open_target(const ExtractArguments& arguments, const ExtractSources& sources,
                          const extract::Rules* rules);

// Throws UsageError if options contradict each other.
void check_extract_options(const ExtractArguments& arguments);

// Of the text that is wanted.
extract::TextForm text_form_of(const ExtractArguments& arguments);

}  // namespace weft::cli
