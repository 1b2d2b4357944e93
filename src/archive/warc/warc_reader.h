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

// Reads WARC files from bytes that come in pieces of any size. A file is plain, or has a gzip
// member or a zstd frame for each record; the first bytes tell which.
namespace weft::archive {

// A record begins.
struct RecordStart {
    WarcHeader header;
    std::uint64_t offset;  // Where in the file the header begins, or its member if it is packed.
};

// The next bytes of the block. The view is valid until the next call of the reader.
struct RecordBytes {
    std::string_view bytes;
};

// A record ends.
struct RecordEnd {
    std::uint64_t offset = 0;  // The same as in RecordStart.

    // The length in the file of header and block, or of the member. 0 if the member does not end
    // with this record.
    std::uint64_t length = 0;

    bool is_complete = true;  // The block has as many bytes as Content-Length says.

    // The file ends inside the record's member, so that its checksum is missing.
    bool is_member_cut = false;

    // There was a line of text where empty lines should be: Content-Length may be wrong.
    bool has_stray_line = false;
};

struct NeedBytes {};  // Call feed() or finish().
struct FileEnd {};    // There are no more records.

using WarcEvent = std::variant<NeedBytes, RecordStart, RecordBytes, RecordEnd, FileEnd>;

// A parser without I/O; the caller feeds the bytes:
//
//     WarcReader reader;
//     for (each piece) { reader.feed(piece); take events until NeedBytes; }
//     reader.finish(); take events until FileEnd
//
// A record that is cut off by the end of the file or of its member is not an error: it ends with
// is_complete false. After an error next() returns the same error again. Memory: one piece, about
// 3 MiB, and the window of a zstd frame, which its writer chose, up to 128 MiB.
class WarcReader {
public:
    WarcReader();
    ~WarcReader();
    WarcReader(WarcReader&&) noexcept;
    WarcReader& operator=(WarcReader&&) noexcept;

    // Adds the next bytes of the file (copied). finish() says that there are no more.
    void feed(std::string_view bytes);
    void finish();

    std::expected<WarcEvent, WarcError> next();

private:
    class Impl;
    std::unique_ptr<Impl> impl_;
};

// A record with its whole block.
struct StoredRecord {
    WarcHeader header;
    std::string block;
    RecordEnd end;
};

}  // namespace weft::archive
