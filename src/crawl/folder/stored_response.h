#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "http/message/message.h"

namespace weft::crawl {

// A record of an archive that was read back, with all of its block.
struct StoredRecord {
    std::string type;            // "response", "revisit"
    std::string block;           // The answer as it went over the wire.
    std::string refers_to_uri;   // Of a revisit: where its body is stored,
    std::string refers_to_date;  // and of when that is, as written in the header.
    std::string payload_digest;  // As written there, "sha1:..."; of the original, for a revisit.
};

// What is done when a record's bytes are not those that its digests were taken of.
enum class Digests : std::uint8_t { checked, ignored };

// The record at `offset`. The error says in words what is wrong: there is none, it is damaged, its
// digest is wrong, or its block is larger than `bytes_max`. Blocks; throws IoError.
std::expected<StoredRecord, std::string> read_record(aio::File& file, std::uint64_t offset,
                                                     std::size_t bytes_max,
                                                     Digests digests = Digests::checked);

// Hands a stored answer to a sink as the client would have when it came: head, then content with
// its codings undone. Gives its status and header fields. The error says in words what is wrong
// with the message; one that was cut off is read as far as it goes.
std::expected<http::Response, std::string> replay(std::string_view block, http::ResponseSink& sink);

}  // namespace weft::crawl
