#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "aio/files.h"
#include "archive/page_entry.h"

namespace weft::archive {

// Gives every entry of a pages.jsonl to `take`, in order, in bounded memory. A last line without
// its end is one being written, and is left out; so is what is no entry. Throws IoError.
void read_pages(aio::File& file, const std::function<void(const PageEntry&)>& take);

// The same, with each line as it stands in the file, its end included.
void read_page_lines(aio::File& file,
                     const std::function<void(const PageEntry&, std::string_view line)>& take);

}  // namespace weft::archive
