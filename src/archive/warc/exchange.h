#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "archive/warc/warc_record.h"

namespace weft::archive {

// The record in which a payload was stored for the first time. Revisits refer to it.
struct Original {
    std::string id;  // Of the response record.
    std::string target_uri;
    WallTime date;
};

// One request and its response as sent and received. All views must outlive the records that are
// made from them.
struct Exchange {
    std::string_view target_uri;
    WallTime date;
    std::string_view ip_address;
    std::span<const std::string> protocols;
    std::string_view cipher_suite;
    std::string_view warcinfo_id;

    // Head and body as sent, without the values of `removed_fields` (see RecordFields). Empty: no
    // request record.
    std::string_view request;
    std::string_view removed_fields;
    std::string_view response_head;  // From the status line to the empty line, as received.
    std::string_view response_body;  // As received: transfer and content codings not undone.
    Truncated truncated = Truncated::no;

    // Further facts, as lines by make_warc_fields(). Empty: no metadata record.
    std::string_view metadata;

    // Digest of the payload. Empty: it is computed from `response_body`.
    std::string payload_digest;
    std::string block_digest;  // Of head and body together. Empty: it is computed.
    std::string_view identified_payload_type;

    // Set if the payload is already stored. Then a revisit record is made instead of the response
    // record, with the head but without the body.
    std::optional<Original> same_as;
    bool is_not_modified = false;  // The server said so (304); we did not compare digests.
};

// The records of one exchange, in the order in which they are written.
struct ExchangeRecords {
    WarcRecord response;  // Or the revisit.
    std::optional<WarcRecord> request;
    std::optional<WarcRecord> metadata;
    std::string payload_digest;
};

// The records refer to the bytes of `exchange`, which must outlive them. `random` makes their ids.
std::expected<ExchangeRecords, RecordError> make_exchange_records(const Exchange& exchange,
                                                                  Random& random);

}  // namespace weft::archive
