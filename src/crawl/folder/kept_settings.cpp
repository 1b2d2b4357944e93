#include "crawl/folder/kept_settings.h"

#include <fmt/format.h>

#include "base/hash.h"
#include "base/units.h"
#include "crawl/folder/folder.h"

namespace weft::crawl {

namespace {

constexpr std::size_t kBytesMax = 64_MiB;  // A crawl may have a million seeds.

// The last line of the copy. Its length does not depend on the settings. It is a comment in TOML.
std::string settings_checksum(std::string_view settings) {
    return fmt::format("# xxh3:{:016x}\n", hash64(settings));
}

}  // namespace

void write_settings(aio::FileSystem& files, const std::filesystem::path& folder,
                    std::string_view settings) {
    files.write_all(folder / CrawlFolder::kSettingsCopyName,
                    std::string(settings) + settings_checksum(settings));
    files.write_all(folder / CrawlFolder::kSettingsName, settings);
}

void refresh_settings_copy(aio::FileSystem& files, const std::filesystem::path& folder) {
    if (!files.exists(folder / CrawlFolder::kSettingsName)) return;
    const std::string settings = files.read_all(folder / CrawlFolder::kSettingsName, kBytesMax);
    if (settings_copy(files, folder) == settings) return;
    files.create_directories((folder / CrawlFolder::kSettingsCopyName).parent_path());
    files.write_all(folder / CrawlFolder::kSettingsCopyName,
                    settings + settings_checksum(settings));
}

std::optional<std::string> settings_copy(aio::FileSystem& files,
                                         const std::filesystem::path& folder) {
    if (!files.exists(folder / CrawlFolder::kSettingsCopyName)) return std::nullopt;
    std::string text = files.read_all(folder / CrawlFolder::kSettingsCopyName,
                                      kBytesMax + settings_checksum("").size());
    const std::size_t size = text.size() - std::min(text.size(), settings_checksum("").size());
    const std::string_view settings = std::string_view(text).substr(0, size);
    if (std::string_view(text).substr(size) != settings_checksum(settings)) return std::nullopt;
    text.resize(size);
    return text;
}

}  // namespace weft::crawl
