#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "aio/files/files.h"
#include "base/clock.h"
#include "cli/options/crawl_options.h"
#include "cli/options/settings.h"
#include "crawl/run/config.h"

namespace weft::cli {

// The configuration with which the crawl in this folder was started, without options that name
// files. Throws UsageError if there is no crawl.
crawl::Config kept_config(const std::string& folder);

// The options that the crawl's folder keeps in state/crawl.toml, as a source of settings. Throws
// UsageError if the file is missing or empty, and IoError.
SettingSources kept_sources(const std::string& folder);

// The same for `repair`. If state/crawl.toml cannot be read or parsed, its copy is used, and
// `restored` says so.
SettingSources repaired_sources(const std::string& folder, std::string& restored);

// The settings that reports need. They are read from the text of the settings alone.
struct KeptFacts {
    std::optional<WallTime> begun;  // When the crawl started; empty if an older weft started it.
    bool keeps_session_ids = false;
    std::uint64_t memory_bytes = CrawlJob().memory_bytes;  // --memory
};

// A folder without settings gives the defaults. Throws IoError.
KeptFacts kept_facts(aio::FileSystem& files, const std::filesystem::path& folder);

// The line of the settings that says when the crawl started.
std::string begun_line(WallTime begun);

}  // namespace weft::cli
