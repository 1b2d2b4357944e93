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

// The configuration of the crawl in this folder, as it was begun with. Options that name files are
// not among it. Throws UsageError if there is none.
crawl::Config kept_config(const std::string& folder);

// What the crawl's folder keeps of its options, as a source of settings: of state/crawl.toml.
// Throws UsageError if there is none or it is empty, IoError.
SettingSources kept_sources(const std::string& folder);

// The same, but where state/crawl.toml cannot be read, or is not understood, its copy takes its
// place, and `restored` says so. For `repair`.
SettingSources repaired_sources(const std::string& folder, std::string& restored);
// What reports need of it, from the text of its settings alone.
struct KeptFacts {
    std::optional<WallTime> begun;  // When the crawl was begun; nothing: by an older weft.
    bool keeps_session_ids = false;
    std::uint64_t memory_bytes = CrawlArguments().memory_bytes;  // --memory
};

// Of a folder without settings, nothing is known. Throws IoError.
KeptFacts kept_facts(aio::FileSystem& files, const std::filesystem::path& folder);

// The line of the settings that says when a crawl was begun.
std::string begun_line(WallTime begun);

}  // namespace weft::cli
