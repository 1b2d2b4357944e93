#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "base/units.h"

namespace weft::archive {

// The lines of a file, one after the other, in bounded memory.
class LineReader {
public:
    // A page with its text and links is far smaller. Longer lines are passed over.
    static constexpr std::size_t kLineBytesMax = 64_MiB;

    // From `offset` on, where a line begins. The file outlives the reader.
    explicit LineReader(aio::File& file, std::uint64_t offset = 0);

    // The next line with its end; the view lives until the next call. Nothing at the end of the
    // file: a last line without its end is one being written, and is left out. Throws IoError.
    std::optional<std::string_view> next();

    // Where the line that next() gave begins in the file.
    std::uint64_t line_offset() const { return line_offset_; }

    // Behind it. Once there is no next: where the last whole line ends.
    std::uint64_t offset() const { return offset_; }

private:
    bool read_more();

    aio::File& file_;
    std::string buffer_;
    std::size_t start_ = 0;          // Of what was not given yet, in `buffer_`.
    std::uint64_t read_offset_ = 0;  // Of the end of `buffer_` in the file.
    std::uint64_t offset_ = 0;       // Of `start_` in the file.
    std::uint64_t line_offset_ = 0;
};

}  // namespace weft::archive
