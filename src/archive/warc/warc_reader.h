#pragma once

#include <cstddef>
#include <cstdint>
#include <expected>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "archive/warc/warc_header.h"

// Reading WARC files, plain or with a gzip member or zstd frame for each record (told apart by
// their first bytes), from bytes that come in pieces of any size.
namespace weft::archive {

// A record begins.
struct RecordStart {
    WarcHeader header;
    std::uint64_t offset;  // In the file: of the header, or of its member.
};

// The next bytes of the block. The view is valid until the next call of the reader.
struct RecordBytes {
    std::string_view bytes;
};

// The record is over.
struct RecordEnd {
    std::uint64_t offset = 0;

    // In the file: of header and block, or of the member; 0 if the member does not end here.
    std::uint64_t length = 0;

    bool is_complete = true;  // The block had as many bytes as Content-Length says.

    // The file ends before the record's member does: its checksum is missing.
    bool is_member_cut = false;

    // A line of other text stood where the empty lines should: Content-Length may be wrong.
    bool has_stray_line = false;
};

struct NeedBytes {};  // feed() more, or finish().
struct FileEnd {};

using WarcEvent = std::variant<NeedBytes, RecordStart, RecordBytes, RecordEnd, FileEnd>;

// A parser fed from outside:
//
//     WarcReader reader;
//     for (each piece) { reader.feed(piece); take events until NeedBytes; }
//     reader.finish(); take events until FileEnd
//
// A record cut off by the end of the file, or of its member, ends with is_complete false and is no
// error. After an error next() repeats it. Memory: one piece, some 3 MiB, and the
// window of a zstd frame, which is as large as its writer chose, up to 128 MiB.
class WarcReader {
public:
    WarcReader();
    ~WarcReader();
    WarcReader(WarcReader&&) noexcept;
    WarcReader& operator=(WarcReader&&) noexcept;

    void feed(std::string_view bytes);
    void finish();
    std::expected<WarcEvent, WarcError> next();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// A record with its block, for files that fit into memory.
struct StoredRecord {
    WarcHeader header;
    std::string block;
    RecordEnd end;
};

struct WarcContents {
    std::vector<StoredRecord> records;
    std::optional<WarcError> error;  // After these records.
};

WarcContents read_warc(std::string_view file);

}  // namespace weft::archive
