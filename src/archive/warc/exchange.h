#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "archive/warc/warc_record.h"

namespace weft::archive {

// Where a payload that comes again was stored first.
struct Original {
    std::string id;  // Of its response record.
    std::string target_uri;
    WallTime date;
};

// One request and its answer, as they went over the wire. The views are not copied.
struct Exchange {
    std::string_view target_uri;
    WallTime date;
    std::string_view ip_address;
    std::span<const std::string> protocols;
    std::string_view cipher_suite;
    std::string_view warcinfo_id;

    std::string_view request;  // Head and body as sent, but for these. Empty: no request record.
    std::string_view removed_fields;  // As in RecordFields.
    std::string_view response_head;   // From the status line to the empty line, as received.
    std::string_view response_body;   // As received: transfer and content codings still on.
    Truncated truncated = Truncated::no;

    // Lines by make_warc_fields() of what is known besides. Empty: no metadata record.
    std::string_view metadata;

    // Of the payload; empty: of `response_body`. Give it where the body was hashed on its way in.
    std::string payload_digest;
    std::string block_digest;  // Of head and body; empty: it is computed.
    std::string_view identified_payload_type;

    // Set if the payload is already stored: a revisit is written in place of the response, with
    // its head and without its body.
    std::optional<Original> same_as;
    bool is_not_modified = false;  // Because the server said so (304), not because we compared.
};

// In the order to write them.
struct ExchangeRecords {
    WarcRecord response;  // Or the revisit.
    std::optional<WarcRecord> request;
    std::optional<WarcRecord> metadata;
    std::string payload_digest;
};

std::expected<ExchangeRecords, RecordError> make_exchange_records(const Exchange& exchange,
                                                                  Random& random);

}  // namespace weft::archive
