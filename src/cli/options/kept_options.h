#pragma once

#include <string_view>

namespace weft::cli {

// What the folder of a crawl (state/crawl.toml) keeps of an option for later runs.
enum class Keeping {
    kept,         // Its value.
    given_again,  // Only that it was given: it is a secret, or names a file outside of the folder.
    this_run,     // Nothing: it speaks of one run, or of what is written outside of the folder.
};

// Of an option of `crawl`, `resume`, `recrawl` or `repair`, by its first long name without dashes.
// People hand folders around: what is not `kept` is never read from one. Throws Error if nobody has
// decided: an option that is new needs a row in kept_options.cpp.
Keeping keeping_of(std::string_view option);

}  // namespace weft::cli
