#include "archive/warc/warc_file.h"

#include "base/units.h"

namespace weft::archive {

namespace {
// The first read is small, for callers that want one record only. Each further read is twice as
// large, up to the maximum.
constexpr std::size_t kFirstPieceBytes = 16_KiB;
constexpr std::size_t kPieceBytesMax = 256_KiB;
}  // namespace

WarcFile::WarcFile(aio::File& file, std::uint64_t offset)
    : file_(file), piece_(kFirstPieceBytes, '\0'), start_(offset), position_(offset) {}

std::expected<WarcEvent, WarcError> WarcFile::next() {
    for (;;) {
        auto event = reader_.next();
        if (!event) return event;
        if (auto* start = std::get_if<RecordStart>(&*event)) start->offset += start_;
        if (auto* end = std::get_if<RecordEnd>(&*event)) end->offset += start_;
        if (!std::holds_alternative<NeedBytes>(*event)) return event;
        const std::size_t count = file_.read_at(position_, piece_);
        position_ += count;
        if (count == 0) {
            reader_.finish();
        } else {
            reader_.feed(std::string_view(piece_).substr(0, count));
            if (piece_.size() < kPieceBytesMax) piece_.resize(2 * piece_.size());
        }
    }
}

}  // namespace weft::archive
