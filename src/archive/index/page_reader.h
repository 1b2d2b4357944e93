#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "aio/files/files.h"
#include "archive/index/outcome.h"

namespace weft::archive {

// Lines of a page log that are not valid entries.
struct DamagedLines {
    std::uint64_t count = 0;
    std::uint64_t first = 0;  // The number of the first such line, from 1 on.
};

// Calls `take` with every entry of a pages.jsonl, in order, in bounded memory. Damaged lines are
// skipped, and so is a last line without a line feed, which is still being written. Throws IoError.
DamagedLines read_pages(aio::File& file, const std::function<void(const Outcome&)>& take);

// The same, and passes each line as it is in the file, with its line feed.
DamagedLines read_page_lines(
    aio::File& file, const std::function<void(const Outcome&, std::string_view line)>& take);

}  // namespace weft::archive
