#include "archive/warc/repack.h"

#include <array>
#include <utility>

#include <fmt/format.h>

#include "archive/index/warc_index.h"
#include "archive/warc/warc_file.h"

namespace weft::archive {

namespace {

std::string header_text(const WarcHeader& header) {
    std::string text = std::string(header.version()) + "\r\n";
    // Folded lines become one line, and lines without a colon are lost; all fields keep their
    // order.
    for (const auto& [name, value] : header.fields()) text += name + ": " + value + "\r\n";
    return text + "\r\n";
}

}  // namespace

Repacker::Repacker(aio::File& out, std::string filename, std::function<void(const CdxEntry&)> index)
    : out_(out), filename_(std::move(filename)), index_(std::move(index)) {}

std::expected<void, std::string> Repacker::copy(aio::File& from, std::uint64_t offset,
                                                std::uint64_t count_max) {
    WarcFile records(from, offset);
    RecordIndexer indexer(filename_);
    std::uint64_t record_offset = offset;
    std::string head;
    std::string block;
    const auto fail = [&](std::string_view what) {
        return std::unexpected(fmt::format("the record at byte {} {}", record_offset, what));
    };
    for (std::uint64_t count = 0; count < count_max;) {
        const auto event = records.next();
        if (!event) return fail(fmt::format("is damaged: {}", describe(event.error())));
        if (std::holds_alternative<FileEnd>(*event)) break;
        if (const auto* start = std::get_if<RecordStart>(&*event)) {
            record_offset = start->offset;
            // Checked before the block is read, which is then held in memory.
            if (start->header.content_length() > kRecordBytesMax) {
                return fail(fmt::format("is larger than {} bytes", kRecordBytesMax));
            }
            head = header_text(start->header);
            block.clear();
            indexer.begin(*start);
        }
        if (const auto* bytes = std::get_if<RecordBytes>(&*event)) {
            block += bytes->bytes;
            indexer.take(bytes->bytes);
        }
        if (const auto* end = std::get_if<RecordEnd>(&*event)) {
            // Unlike a reader, a copy must not contain half a record.
            if (!end->is_complete || end->is_member_cut) return fail("is cut off");
            std::string member;
            const std::array<std::string_view, 3> pieces = {head, block, "\r\n\r\n"};
            packer_.append_member(pieces, member);
            out_.append(member);
            // The index entry must point into the new file.
            RecordEnd place = *end;
            place.offset = std::exchange(offset_, offset_ + member.size());
            place.length = member.size();
            if (const auto entry = indexer.finish(place)) index_(*entry);
            ++record_count_;
            ++count;
        }
    }
    return {};
}

}  // namespace weft::archive
