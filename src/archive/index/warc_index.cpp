#include "archive/index/warc_index.h"

#include "archive/warc/record_check.h"
#include "base/bytes.h"
#include "base/limits.h"

namespace weft::archive {

namespace {

constexpr std::size_t kTypeBytesMax = 200;

// The media type without parameters: "text/html" for "Text/HTML; charset=utf-8".
std::string bare_type(std::string_view value) {
    return to_lower(trim(value.substr(0, value.find(';'))).substr(0, kTypeBytesMax));
}

}  // namespace

void RecordIndexer::begin(const RecordStart& start) {
    const std::string_view type = start.header.type();
    // The header is copied only for records that are indexed.
    is_wanted_ = type == "response" || type == "revisit" || type == "resource";
    if (is_wanted_) header_ = start.header;
    head_.clear();
}

void RecordIndexer::take(std::string_view bytes) {
    if (!is_wanted_ || head_.size() >= limits::kHeaderBlockBytesMax) return;
    head_ += bytes.substr(0, limits::kHeaderBlockBytesMax - head_.size());
}

std::optional<CdxEntry> RecordIndexer::finish(const RecordEnd& end) {
    if (!is_wanted_ || !end.is_complete || end.is_member_cut) return std::nullopt;
    CdxEntry entry;
    entry.target_uri = header_.target_uri();
    entry.date = parse_iso8601(header_.get("WARC-Date")).value_or(WallTime{});
    entry.digest = header_.get("WARC-Payload-Digest");
    entry.filename = filename_;
    entry.offset = end.offset;
    entry.length = end.length;
    if (holds_http(header_)) {
        const HttpHead head = parse_http_head(head_);
        entry.status = head.status;
        entry.mime = bare_type(
            http_field(std::string_view(head_).substr(0, head.size_bytes), "content-type"));
    } else {
        entry.mime = bare_type(header_.get("Content-Type"));
    }
    // Replay tools recognize revisits by this type.
    if (header_.type() == "revisit") entry.mime = "warc/revisit";
    return entry;
}

}  // namespace weft::archive
