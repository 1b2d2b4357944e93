#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "base/units.h"

namespace weft::archive {

// Reads the lines of a file one after the other, in bounded memory. Blocks in file reads.
class LineReader {
public:
    // Longer lines are skipped. The line of a page with its text and links is far shorter.
    static constexpr std::size_t kLineBytesMax = 64_MiB;

    // Starts at `offset`, where a line must begin. The file must outlive the reader.
    explicit LineReader(aio::File& file, std::uint64_t offset = 0);

    // The next line, with its line feed. The view is valid until the next call. Nothing at the end
    // of the file: a last line without a line feed is still being written, and is not returned.
    // Throws IoError.
    std::optional<std::string_view> next();

    // Where in the file the line begins that next() returned.
    std::uint64_t line_offset() const { return line_offset_; }

    // Where it ends. After next() returned nothing: where the last complete line ends.
    std::uint64_t offset() const { return offset_; }

private:
    bool read_more();

    aio::File& file_;
    std::string buffer_;
    std::size_t start_ = 0;          // Where in `buffer_` the next line begins.
    std::uint64_t read_offset_ = 0;  // Where in the file `buffer_` ends.
    std::uint64_t offset_ = 0;       // Where in the file the next line begins.
    std::uint64_t dropped_ = 0;      // How much of it is no longer in `buffer_`: it is too long.
    std::uint64_t line_offset_ = 0;
};

}  // namespace weft::archive
