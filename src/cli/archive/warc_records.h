#pragma once

#include <cstdint>
#include <functional>
#include <string_view>

#include "archive/warc/warc_reader.h"
#include "cli/archive/warc_inputs.h"

namespace weft::cli {

// Callbacks for the records of a file. Views are valid only during the call.
struct RecordHandler {
    std::function<void(const archive::RecordStart&)> on_start = [](const auto&) {};
    std::function<void(std::string_view)> on_bytes = [](std::string_view) {};
    std::function<void(const archive::RecordEnd&)> on_end = [](const auto&) {};
};

inline constexpr std::uint64_t kAllRecords = ~std::uint64_t{0};

// Reads records from `offset` to the end of the file, at most `count_max`. Returns false if it
// ended early, and prints the reason on standard error. Throws IoError.
bool read_records(const WarcInput& input, std::uint64_t offset, std::uint64_t count_max,
                  const RecordHandler& handler);

}  // namespace weft::cli
