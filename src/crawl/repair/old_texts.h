#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>

#include "aio/files/files.h"
#include "base/clock.h"

namespace weft::crawl {

// The lines of a text.jsonl that a repair replaces, found by page. Lines that are no JSON, or lack
// their end, are not found. Blocks in file reads.
class OldTexts {
public:
    // Reads the whole file once, if it is there. Throws IoError.
    OldTexts(aio::FileSystem& files, const std::filesystem::path& path);

    // The line of the page that was fetched from this URL at this time, with its line feed; empty
    // if there is none.
    std::string find(std::string_view url, WallTime date);

private:
    struct Place {
        std::uint64_t offset = 0;
        std::uint64_t length = 0;
    };

    std::unique_ptr<aio::File> file_;  // Null: it is not there.
    std::unordered_map<std::uint64_t, Place> places_;
};

}  // namespace weft::crawl
