#include "cli/archive/warc_records.h"

#include <cstdio>

#include <fmt/format.h>

#include "archive/warc/warc_file.h"

namespace weft::cli {

bool read_records(const WarcInput& input, std::uint64_t offset, std::uint64_t count_max,
                  const RecordHandler& handler) {
    const std::unique_ptr<aio::File> file = input.open();
    archive::WarcFile records(*file, offset);
    std::uint64_t last_offset = offset;
    bool has_begun = false;
    for (std::uint64_t count = 0; count < count_max;) {
        const auto event = records.next();
        if (!event) {
            // The reader does not search for the next record here; `weft repair` does.
            fmt::print(stderr, "{}: unreadable {} byte {}, and not read further: {}\n", input.shown,
                       has_begun ? "after the record at" : "at", last_offset,
                       describe(event.error()));
            return false;
        }
        if (const auto* start = std::get_if<archive::RecordStart>(&*event)) {
            last_offset = start->offset;
            has_begun = true;
            handler.on_start(*start);
        }
        if (const auto* bytes = std::get_if<archive::RecordBytes>(&*event)) {
            handler.on_bytes(bytes->bytes);
        }
        if (const auto* end = std::get_if<archive::RecordEnd>(&*event)) {
            handler.on_end(*end);
            ++count;
        }
        if (std::holds_alternative<archive::FileEnd>(*event)) break;
    }
    return true;
}

}  // namespace weft::cli
