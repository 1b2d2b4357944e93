#pragma once

#include <cstdint>
#include <expected>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "archive/warc/warc_reader.h"
#include "http/message/message.h"

namespace weft::crawl {

// Whether a record whose digests do not match its bytes is an error.
enum class Digests : std::uint8_t { checked, ignored };

// Reads the record at `offset`. The error is a phrase for people: there is no record, it is
// damaged, its digest is wrong, or its block is larger than `bytes_max`. Blocks; throws IoError.
std::expected<archive::StoredRecord, std::string> read_record(aio::File& file, std::uint64_t offset,
                                                              std::size_t bytes_max,
                                                              Digests digests = Digests::checked);

// Gives a stored response to a sink as the client did when it was fetched: the head, then the
// content with its codings removed. Returns its status and header fields. The error is a phrase for
// people about what is wrong with the message. A response that was cut off is read as far as it
// goes.
std::expected<http::Response, std::string> replay(std::string_view block, http::ResponseSink& sink);

}  // namespace weft::crawl
