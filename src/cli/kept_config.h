#pragma once

#include <filesystem>
#include <optional>
#include <string>

#include "aio/files.h"
#include "base/clock.h"
#include "crawl/config.h"

namespace weft::cli {

// The configuration of the crawl in this folder, as it was begun with. Throws UsageError if there
// is none.
crawl::Config kept_config(const std::string& folder);

// What reports need of it, from the text of its settings alone.
struct KeptFacts {
    std::optional<WallTime> begun;  // When the crawl was begun; nothing: by an older weft.
    bool keeps_session_ids = false;
};

// Of a folder without settings, nothing is known. Throws IoError.
KeptFacts kept_facts(aio::FileSystem& files, const std::filesystem::path& folder);

// The line of the settings that says when a crawl was begun.
std::string begun_line(WallTime begun);

}  // namespace weft::cli
