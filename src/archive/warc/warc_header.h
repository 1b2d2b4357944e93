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
    not_a_record,      // Other bytes where "WARC/" should be.
    header_too_long,   // The header does not end within limits::kWarcHeaderBytesMax.
    truncated_header,  // The file or the member ends inside a header.
    bad_length,        // Content-Length is missing or not a number.
    missing_newline,   // A record begins right after another record's block.
    shared_member,     // A gzip member or zstd frame contains more than one record.
    bad_packing,       // The compressed data are damaged.
};
std::string_view describe(WarcError error);

// The header of a record, as found in the file. Names compare without regard to case. Returned
// views are valid as long as the header.
class WarcHeader {
public:
    // `text` begins with "WARC/1.1" and ends with or without the empty line. Tolerant: lines may
    // end in LF alone; lines that begin with white space continue the line before; lines without a
    // colon are ignored.
    static std::expected<WarcHeader, WarcError> parse(std::string_view text);

    // The first value of a field; empty if the field is missing.
    std::string_view get(std::string_view name) const;
    bool has(std::string_view name) const;

    std::string_view version() const { return version_; }  // "WARC/1.1"
    std::string_view type() const { return get("WARC-Type"); }
    std::string_view id() const { return get("WARC-Record-ID"); }

    // The WARC-Target-URI, without the angle brackets that some writers put around it, and with
    // its spaces escaped.
    std::string target_uri() const;

    // The length of the block.
    std::uint64_t content_length() const { return content_length_; }

    const std::vector<std::pair<std::string, std::string>>& fields() const { return fields_; }

private:
    std::string version_;
    std::uint64_t content_length_ = 0;
    std::vector<std::pair<std::string, std::string>> fields_;
};

}  // namespace weft::archive
