#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "aio/files/files.h"
#include "archive/index/page_entry.h"

namespace weft::archive {

// Lines that are no entries, though they should be.
struct DamagedLines {
    std::uint64_t count = 0;
    std::uint64_t first = 0;  // The number of the first, from 1 on.
};

// Gives every entry of a pages.jsonl to `take`, in order, in bounded memory. A last line without
// its end is one being written, and is left out; so are damaged lines. Throws IoError.
DamagedLines read_pages(aio::File& file, const std::function<void(const PageEntry&)>& take);

// The same, with each line as it stands in the file, its end included.
DamagedLines read_page_lines(
    aio::File& file, const std::function<void(const PageEntry&, std::string_view line)>& take);

}  // namespace weft::archive
