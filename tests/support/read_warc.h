#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "archive/warc/warc_reader.h"

namespace weft::archive {

// All records of a file.
struct WarcContents {
    std::vector<StoredRecord> records;
    std::optional<WarcError> error;  // What ended the reading, after these records.
};

// Reads a whole file that is in memory.
inline WarcContents read_warc(std::string_view file) {
    WarcContents contents;
    WarcReader reader;
    reader.feed(file);
    reader.finish();
    for (;;) {
        std::expected<WarcEvent, WarcError> event = reader.next();
        if (!event) {
            contents.error = event.error();
            return contents;
        }
        if (std::holds_alternative<FileEnd>(*event)) return contents;
        if (auto* start = std::get_if<RecordStart>(&*event)) {
            contents.records.push_back({std::move(start->header), {}, {}});
        } else if (const auto* bytes = std::get_if<RecordBytes>(&*event)) {
            contents.records.back().block += bytes->bytes;
        } else if (const auto* end = std::get_if<RecordEnd>(&*event)) {
            contents.records.back().end = *end;
        }
    }
}

}  // namespace weft::archive
