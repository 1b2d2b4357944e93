#pragma once

#include <cstdint>
#include <string>

#include "aio/files/files.h"
#include "archive/warc/warc_reader.h"

namespace weft::archive {

// The records of one file, read as far as they are asked for, in bounded memory.
class WarcFile {
public:
    // From the record at `offset` on. The file outlives the reader.
    explicit WarcFile(aio::File& file, std::uint64_t offset = 0);

    // The next event, never NeedBytes; offsets count from the start of the file. Throws IoError.
    std::expected<WarcEvent, WarcError> next();

    // How far the file was read: where damage is, about, after an error.
    std::uint64_t position() const { return position_; }

private:
    aio::File& file_;
    WarcReader reader_;
    std::string piece_;
    std::uint64_t start_ = 0;
    std::uint64_t position_ = 0;
};

}  // namespace weft::archive
