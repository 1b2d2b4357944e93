#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "archive/index/digest.h"
#include "archive/warc/warc_header.h"

namespace weft::archive {

// The head of the HTTP message in a record's block. The view points into the block.
struct HttpHead {
    std::string_view start_line;
    unsigned status = 0;           // Of a response; 0 if its status line has none.
    std::size_t header_count = 0;  // Lines with a colon, without continuation lines.
    std::size_t size_bytes = 0;    // With the empty line: where the payload begins.
};

// Whether a record's block is an HTTP message: its Content-Type says so, or it has none and the
// record is a capture of an http URL.
bool holds_http(const WarcHeader& header);

// Parses the head at the beginning of a block. Without an empty line the whole block is the head.
// Tolerant, as it reads files of other tools.
HttpHead parse_http_head(std::string_view block);

// The first value of a field in such a head; empty if it has none.
std::string_view http_field(std::string_view head, std::string_view name);

enum class Verdict { unchecked, right, wrong };

// Compares the block and payload digests of one record with its bytes.
//
// The payload of an HTTP message is its body as stored, transfer coding included: wget, warcio and
// Heritrix hash the same bytes. A revisit is not checked, because its payload is in another record;
// nor is an incomplete record.
class RecordCheck {
public:
    explicit RecordCheck(const WarcHeader& header);

    // Takes the block in pieces of any size.
    void update(std::string_view bytes);

    // The result. `unchecked` if the record is not complete or has no digest that we know.
    Verdict finish(bool is_complete);

private:
    std::optional<DigestCheck> block_;
    std::optional<DigestCheck> payload_;
    bool is_in_head_ = false;
    std::string last_bytes_;  // The last bytes of the head, to find its end across two pieces.
};

}  // namespace weft::archive
