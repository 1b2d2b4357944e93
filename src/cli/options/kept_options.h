#pragma once

#include <string_view>

namespace weft::cli {

// What the folder of a crawl (state/crawl.toml) stores about an option for later runs.
enum class Keeping {
    kept,         // Its value.
    given_again,  // Only that it was given: it is a secret, or names a file outside the folder.
    this_run,     // Nothing: it is about one run, or about files outside the folder.
};

// How an option of `crawl`, `resume`, `recrawl` or `repair` is stored, by its first long name
// without dashes. Folders are passed on to other people, so only options that are `kept` are read
// from one. Throws Error for an option without a row in kept_options.cpp: a new option needs one.
Keeping keeping_of(std::string_view option);

}  // namespace weft::cli
