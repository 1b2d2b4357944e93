#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/files/files.h"

namespace weft::cli {

// A WARC file that was named on the command line, or that is in a WACZ file named there.
struct WarcInput {
    std::string name;   // The name of the WARC file alone.
    std::string shown;  // Its place, for messages; escaped for a terminal.

    std::unique_ptr<aio::File> open() const;  // Throws IoError.

    std::string path;
    struct Part {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    std::optional<Part> part;  // Its place in a WACZ file; empty: the whole file.
};

// In the order of the arguments, and within a WACZ file in its order. Throws IoError; UsageError if
// a WACZ file holds no WARC file, or one that cannot be read in place; ArchiveError if it is
// damaged.
std::vector<WarcInput> warc_inputs(const std::vector<std::string>& paths);

}  // namespace weft::cli
