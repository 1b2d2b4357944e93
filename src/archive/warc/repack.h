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
// replay tool can read. Calls `index` with the index entry of each record. Holds one record in
// memory. Blocks: for use on an executor thread.
class Repacker {
public:
    // `out` must be empty and outlive the object; `filename` is its name in the index.
    Repacker(aio::File& out, std::string filename, std::function<void(const CdxEntry&)> index);

    // Larger records are an error. This is twice the largest body, with head and packing.
    static constexpr std::uint64_t kRecordBytesMax = 256 << 20;

    // Copies the record at `offset` and those after it, at most `count_max`. The error text names
    // the record by its offset and says what is wrong with it. Throws IoError.
    std::expected<void, std::string> copy(aio::File& from, std::uint64_t offset = 0,
                                          std::uint64_t count_max = ~std::uint64_t{0});

    std::uint64_t record_count() const { return record_count_; }

private:
    aio::File& out_;
    std::string filename_;
    std::function<void(const CdxEntry&)> index_;
    GzipPacker packer_{GzipPacker::kSmallLevel};
    std::uint64_t offset_ = 0;
    std::uint64_t record_count_ = 0;
};

}  // namespace weft::archive
