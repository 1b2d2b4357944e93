#pragma once

#include <string>

#include "cli/settings.h"
#include "crawl/config.h"

namespace weft::cli {

// The configuration of the crawl in this folder, as it was begun with. Options that name files are
// not among it. Throws UsageError if there is none.
crawl::Config kept_config(const std::string& folder);

// What the crawl's folder keeps of its options, as a source of settings: of state/crawl.toml.
// Throws UsageError if there is none or it is empty, IoError.
SettingSources kept_sources(const std::string& folder);

// The same, but where state/crawl.toml cannot be read, or is not understood, its copy takes its
// place, and `restored` says so. For `repair`.
SettingSources repaired_sources(const std::string& folder, std::string& restored);

}  // namespace weft::cli
