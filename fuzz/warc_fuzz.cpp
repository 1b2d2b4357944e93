// A WARC file, plain or packed: the same records however cut, blocks as long as their headers say,
// offsets that only grow; every record can be checked against its digests.
#include <algorithm>
#include <optional>
#include <string>

#include <fmt/format.h>

#include "archive/warc/record_check.h"
#include "archive/warc/warc_reader.h"
#include "base/limits.h"
#include "fuzz/cuts.h"

namespace weft::archive {
namespace {

// Packed zeros grow a thousandfold; a story need not hold them all.
constexpr std::size_t kStoryBytesMax = 1 << 20;

// Takes the reader's events and writes down what must not depend on the cut.
class Listener {
public:
    // False when nothing more will come.
    bool take_events(WarcReader& reader) {
        while (true) {
            const auto event = reader.next();
            if (!event) {
                story_ += describe(event.error());
                const auto again = reader.next();
                fuzz::require(!again && again.error() == event.error());
                return false;
            }
            if (std::holds_alternative<NeedBytes>(*event)) return true;
            if (std::holds_alternative<FileEnd>(*event)) {
                fuzz::require(!check_);
                story_ += "end";
                return false;
            }
            if (const auto* start = std::get_if<RecordStart>(&*event)) take(*start);
            if (const auto* bytes = std::get_if<RecordBytes>(&*event)) take(*bytes);
            if (const auto* end = std::get_if<RecordEnd>(&*event)) take(*end);
        }
    }

    const std::string& story() const { return story_; }

private:
    void take(const RecordStart& start) {
        fuzz::require(!check_);
        fuzz::require(start.offset >= last_offset_);
        last_offset_ = start.offset;
        check_.emplace(start.header);
        block_.clear();
        block_bytes_ = 0;
        story_ +=
            fmt::format("{} {} {} [", start.offset, start.header.type(), holds_http(start.header));
    }

    void take(const RecordBytes& bytes) {
        fuzz::require(check_ && !bytes.bytes.empty());
        check_->update(bytes.bytes);
        block_bytes_ += bytes.bytes.size();
        if (block_.size() < kStoryBytesMax) {
            block_ += bytes.bytes.substr(0, kStoryBytesMax - block_.size());
        }
    }

    void take(const RecordEnd& end) {
        fuzz::require(check_.has_value());
        fuzz::require(end.offset == last_offset_);
        const Verdict verdict = check_->finish(end.is_complete);
        const HttpHead head = parse_http_head(block_);
        fuzz::require(head.size_bytes <= block_.size());
        fuzz::require(head.status <= 999);
        story_ += fmt::format("{}] {} {} {} {} {} {}\n", block_, block_bytes_, end.length,
                              end.is_complete, end.has_stray_line, static_cast<int>(verdict),
                              head.header_count);
        check_.reset();
    }

    std::optional<RecordCheck> check_;
    std::string block_;
    std::uint64_t block_bytes_ = 0;
    std::uint64_t last_offset_ = 0;
    std::string story_;
};

std::string read(std::string_view file, fuzz::Cutter cutter) {
    WarcReader reader;
    Listener listener;
    while (!file.empty()) {
        const fuzz::Piece piece(file.substr(0, cutter.next()));
        file.remove_prefix(piece.view().size());
        reader.feed(piece.view());
        if (!listener.take_events(reader)) return listener.story();
    }
    reader.finish();
    fuzz::require(!listener.take_events(reader));
    return listener.story();
}

}  // namespace
}  // namespace weft::archive

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    const std::string_view file(reinterpret_cast<const char*>(data), size);
    const unsigned seed = size == 0 ? 2 : 2 + data[size - 1];
    const std::string whole = archive::read(file, fuzz::Cutter(0));
    // Byte by byte takes too long for the larger samples.
    if (size <= 2'048) fuzz::require(whole == archive::read(file, fuzz::Cutter(1)));
    fuzz::require(whole == archive::read(file, fuzz::Cutter(seed)));
    return 0;
}
