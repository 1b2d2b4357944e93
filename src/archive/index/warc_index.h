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

// Makes index entries from the events of a WarcReader. Only responses, revisits and resources are
// indexed; requests, metadata and the like are not.
class RecordIndexer {
public:
    // `filename` is the file of the records, as the index names it.
    explicit RecordIndexer(std::string filename) : filename_(std::move(filename)) {}

    // Pass in the events of each record in their order. finish() returns nothing for a record that
    // is not indexed or not complete.
    void begin(const RecordStart& start);
    void take(std::string_view bytes);
    std::optional<CdxEntry> finish(const RecordEnd& end);

    // The record for which finish() returned an entry; valid until the next begin(). block_start()
    // is as much of the block as a head may have.
    const WarcHeader& header() const { return header_; }
    std::string_view block_start() const { return head_; }

private:
    std::string filename_;
    WarcHeader header_;
    bool is_wanted_ = false;
    std::string head_;  // The start of the block.
};

}  // namespace weft::archive
