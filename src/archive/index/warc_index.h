#pragma once

#include <expected>
#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "archive/index/cdxj.h"
#include "archive/warc/warc_reader.h"

namespace weft::archive {

// Makes what an index says of a record out of the events of a reader. Records that answer nothing
// (requests, metadata and the like) are in no index.
class RecordIndexer {
public:
    // Of the file that the records are in.
    explicit RecordIndexer(std::string filename) : filename_(std::move(filename)) {}

    void begin(const RecordStart& start);
    void take(std::string_view bytes);
    std::optional<CdxEntry> finish(const RecordEnd& end);

    // Of the record that finish() gave an entry for; until the next begins.
    const WarcHeader& header() const { return header_; }
    std::string_view block_start() const { return head_; }  // As far as a head may reach.

private:
    std::string filename_;
    WarcHeader header_;
    bool is_wanted_ = false;
    std::string head_;  // The start of the block.
};

// Gives what an index says of the file's records to `take`, in the file's order, in bounded memory.
// A record that is cut off is left out. Throws IoError.
std::expected<void, WarcError> index_warc(aio::File& file, const std::string& filename,
                                          const std::function<void(const CdxEntry&)>& take);

}  // namespace weft::archive
