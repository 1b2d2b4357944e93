#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "archive/warc/warc_reader.h"
#include "cli/archive/warc_inputs.h"

namespace weft::cli {

// What happens with the records of a file; the views end with the call.
struct RecordHandler {
    std::function<void(const archive::RecordStart&)> on_start = [](const auto&) {};
    std::function<void(std::string_view)> on_bytes = [](std::string_view) {};
    std::function<void(const archive::RecordEnd&)> on_end = [](const auto&) {};
};

inline constexpr std::uint64_t kAllRecords = ~std::uint64_t{0};

// Reads the file from the record at `offset` to its end, or `count_max` records. False, and said on
// standard error, if something ended it early. Throws IoError.
bool read_records(const WarcInput& input, std::uint64_t offset, std::uint64_t count_max,
                  const RecordHandler& handler);

}  // namespace weft::cli
