#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"

// The options of a crawl in its folder: state/crawl.toml, and a copy of it in pages/crawl.toml for
// the case that the former is damaged.
namespace weft::crawl {

// The settings of a crawl are in state/crawl.toml; pages/crawl.toml is a copy with a checksum, for
// a repair that has lost state/.

// Writes the copy and then state/crawl.toml, with which the crawl can be resumed. Throws IoError.
void write_settings(aio::FileSystem& files, const std::filesystem::path& folder,
                    std::string_view settings);

// Writes the copy again if it differs from state/crawl.toml. Does nothing if that file is missing.
// Throws IoError.
void refresh_settings_copy(aio::FileSystem& files, const std::filesystem::path& folder);

// The settings from the copy, if it exists and its checksum is right. Throws IoError.
std::optional<std::string> settings_copy(aio::FileSystem& files,
                                         const std::filesystem::path& folder);

}  // namespace weft::crawl
