#pragma once

#include <cstdint>
#include <string>

#include "aio/files/files.h"
#include "archive/warc/warc_reader.h"

namespace weft::archive {

// Reads the records of one file, in bounded memory. It reads only as far as the caller asks. Blocks
// in file reads: for use on an executor thread.
class WarcFile {
public:
    // Starts at the record at `offset`. The file must outlive this object.
    explicit WarcFile(aio::File& file, std::uint64_t offset = 0);

    // The next event, never NeedBytes. Offsets count from the start of the file. Views in it are
    // valid until the next call. Throws IoError.
    std::expected<WarcEvent, WarcError> next();

    // How far the file was read. After an error this is near the damage.
    std::uint64_t position() const { return position_; }

private:
    aio::File& file_;
    WarcReader reader_;
    std::string piece_;
    std::uint64_t start_ = 0;
    std::uint64_t position_ = 0;
};

}  // namespace weft::archive
