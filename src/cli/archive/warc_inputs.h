#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/files/files.h"

namespace weft::cli {

// A WARC file that was named on the command line, or that lies in a WACZ file which was.
struct WarcInput {
    std::string name;   // Of the WARC file alone.
    std::string shown;  // For messages: where it is, harmless to a terminal.

    std::unique_ptr<aio::File> open() const;  // Throws IoError.

    std::string path;
    struct Part {
        std::uint64_t offset = 0;
        std::uint64_t size = 0;
    };
    std::optional<Part> part;  // Of a WACZ file.
};

// In the order of the arguments; those of a WACZ file in its own. Throws IoError; UsageError if a
// WACZ file holds no WARC file, or one that cannot be read in place; ArchiveError if it is damaged.
std::vector<WarcInput> warc_inputs(const std::vector<std::string>& paths);

}  // namespace weft::cli
