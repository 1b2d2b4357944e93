#pragma once

#include <cstdint>
#include <expected>
#include <functional>
#include <string>

#include "aio/files/files.h"
#include "archive/index/cdxj.h"
#include "archive/warc/gzip_member.h"

namespace weft::archive {

// Copies records of WARC files, however those are packed, into a file of gzip members, which every
// replay tool reads, and gives what an index says of each to `index`. Holds one record in memory.
class Repacker {
public:
    // `out` is empty and outlives the object; `filename` is what the index calls it.
    Repacker(aio::File& out, std::string filename, std::function<void(const CdxEntry&)> index);

    // Records that are larger are refused: twice the largest body, with head and packing.
    static constexpr std::uint64_t kRecordBytesMax = 256 << 20;

    // Copies the record at `offset` and those after it, at most `count_max`. The error names the
    // record by its offset and says what is wrong with it. Throws IoError.
    std::expected<void, std::string> copy(aio::File& from, std::uint64_t offset = 0,
                                          std::uint64_t count_max = ~std::uint64_t{0});

    std::uint64_t record_count() const { return record_count_; }

private:
    aio::File& out_;
    std::string filename_;
    std::function<void(const CdxEntry&)> index_;
    GzipPacker packer_;
    std::uint64_t offset_ = 0;
    std::uint64_t record_count_ = 0;
};

}  // namespace weft::archive
