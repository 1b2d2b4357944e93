#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "archive/index/digest.h"
#include "archive/warc/warc_header.h"

namespace weft::archive {

// The head of the HTTP message in a block.
struct HttpHead {
    std::string_view start_line;
    unsigned status = 0;           // Of a response; 0 if its status line has none.
    std::size_t header_count = 0;  // Lines with a colon that do not continue another.
    std::size_t size_bytes = 0;    // With the empty line: where the payload begins.
};

// Whether a record's block is an HTTP message: it says so, or it is a capture of a web address that
// says nothing.
bool holds_http(const WarcHeader& header);

// The head at the front of a block; as much as there is if its empty line is missing.
HttpHead parse_http_head(std::string_view block);

// The first value of a field in such a head; empty if there is none.
std::string_view http_field(std::string_view head, std::string_view name);

enum class Verdict { unchecked, right, wrong };

// Compares the block and payload digests of one record with its bytes.
//
// The payload of an HTTP message is its body as stored, transfer coding included: what wget,
// warcio and Heritrix hash. A revisit is not checked, since its payload is elsewhere, nor is a
// record that was cut off.
class RecordCheck {
public:
    explicit RecordCheck(const WarcHeader& header);

    // The block, in pieces of any size.
    void update(std::string_view bytes);

    Verdict finish(bool is_complete);

private:
    std::optional<DigestCheck> block_;
    std::optional<DigestCheck> payload_;
    bool is_in_head_ = false;
    std::string last_bytes_;  // Of the head, to see its end across pieces.
};

}  // namespace weft::archive
