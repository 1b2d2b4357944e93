#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace weft::archive {

// What can be wrong with a WARC file.
enum class WarcError {
    not_a_record,      // Bytes where "WARC/" should stand.
    header_too_long,   // No end of a header within limits::kWarcHeaderBytesMax.
    truncated_header,  // The file or the member ends inside a header.
    bad_length,        // No Content-Length, or one that is no number.
    missing_newline,   // A record begins right after another's block.
    shared_member,     // A gzip member or zstd frame holds more than one record.
    bad_packing,       // The compressed bytes are damaged, or are none.
};
std::string_view describe(WarcError error);

// The header of a record, as found. Names are compared without regard to case.
class WarcHeader {
public:
    // From "WARC/1.1" up to, and with or without, the empty line. Lines may end in LF alone; lines
    // that begin with a blank continue the one before; lines without a colon are passed over.
    static std::expected<WarcHeader, WarcError> parse(std::string_view text);

    // The first value of a field; empty if there is none.
    std::string_view get(std::string_view name) const;
    bool has(std::string_view name) const;

    std::string_view version() const { return version_; }  // "WARC/1.1"
    std::string_view type() const { return get("WARC-Type"); }
    std::string_view id() const { return get("WARC-Record-ID"); }

    // Without the angle brackets that some writers put around it, and with its spaces escaped.
    std::string target_uri() const;

    // Of the block.
    std::uint64_t content_length() const { return content_length_; }

    const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }

private:
    std::string version_;
    std::uint64_t content_length_ = 0;
    std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace weft::archive
