#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"

// The options of a crawl in its folder: state/crawl.toml, and a copy of it in pages/crawl.toml for
// the case that the former is damaged.
namespace weft::crawl {

// Writes both; the crawl can be resumed once state/crawl.toml is there. Throws IoError.
void write_settings(aio::FileSystem& files, const std::filesystem::path& folder,
                    std::string_view settings);

// Writes the copy anew if it is not that of state/crawl.toml, which can be read. Throws IoError.
void refresh_settings_copy(aio::FileSystem& files, const std::filesystem::path& folder);

// The copy, if there is one and it is whole (it ends in a checksum). Throws IoError.
std::optional<std::string> settings_copy(aio::FileSystem& files,
                                         const std::filesystem::path& folder);

}  // namespace weft::crawl
