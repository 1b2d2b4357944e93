#include "archive/warc/exchange.h"

#include <array>

#include "archive/index/digest.h"
#include "archive/index/sha1_lanes.h"

namespace weft::archive {

namespace {

// The fields that the response and the request record share.
RecordFields common_fields(const Exchange& exchange, RecordType type, std::string_view id) {
    RecordFields fields;
    fields.type = type;
    fields.id = id;
    fields.date = exchange.date;
    fields.target_uri = exchange.target_uri;
    fields.ip_address = exchange.ip_address;
    fields.warcinfo_id = exchange.warcinfo_id;
    fields.protocols = exchange.protocols;
    fields.cipher_suite = exchange.cipher_suite;
    return fields;
}

std::expected<WarcRecord, RecordError> make_response(const Exchange& exchange,
                                                     std::string_view payload_digest,
                                                     Random& random) {
    const RecordType type = exchange.same_as ? RecordType::revisit : RecordType::response;
    const std::string id = make_record_id(random);
    RecordFields fields = common_fields(exchange, type, id);
    fields.truncated = exchange.truncated;
    fields.payload_digest = payload_digest;
    fields.identified_payload_type = exchange.identified_payload_type;
    if (!exchange.same_as) {
        fields.block_digest = exchange.block_digest;
        return make_record(fields, {exchange.response_head, exchange.response_body});
    }
    fields.profile = exchange.is_not_modified ? kServerNotModified : kIdenticalPayload;
    fields.refers_to = exchange.same_as->id;
    fields.refers_to_target_uri = exchange.same_as->target_uri;
    fields.refers_to_date = exchange.same_as->date;
    // The block of a revisit is the head alone (WARC 1.1, 6.7.2).
    return make_record(fields, {exchange.response_head});
}

}  // namespace

std::expected<ExchangeRecords, RecordError> make_exchange_records(const Exchange& exchange,
                                                                  Random& random) {
    ExchangeRecords records;
    // A 304 has no payload of its own: its digest is that of the original, if it is known.
    records.payload_digest = exchange.payload_digest.empty() && !exchange.is_not_modified
                                 ? sha1_label(std::span(&exchange.response_body, 1))
                                 : exchange.payload_digest;
    std::expected<WarcRecord, RecordError> made =
        make_response(exchange, records.payload_digest, random);
    if (!made) return std::unexpected(made.error());
    records.response = *std::move(made);

    const std::span<const std::string> concurrent_to(&records.response.id, 1);
    // Both digests at once: side by side the second costs nothing (sha1_lanes.h).
    std::array<Sha1Message, 2> blocks{{{.first = exchange.request}, {.first = exchange.metadata}}};
    label_by_sha1(blocks);
    if (!exchange.request.empty()) {
        const std::string id = make_record_id(random);
        RecordFields request = common_fields(exchange, RecordType::request, id);
        request.concurrent_to = concurrent_to;
        request.block_digest = blocks[0].label;
        request.removed_fields = exchange.removed_fields;
        made = make_record(request, {exchange.request});
        if (!made) return std::unexpected(made.error());
        records.request = *std::move(made);
    }
    if (!exchange.metadata.empty()) {
        const std::string id = make_record_id(random);
        RecordFields metadata;
        // No address or protocols: this record was made by us and not received.
        metadata.type = RecordType::metadata;
        metadata.id = id;
        metadata.date = exchange.date;
        metadata.target_uri = exchange.target_uri;
        metadata.warcinfo_id = exchange.warcinfo_id;
        metadata.content_type = "application/warc-fields";
        metadata.concurrent_to = concurrent_to;
        metadata.block_digest = blocks[1].label;
        made = make_record(metadata, {exchange.metadata});
        if (!made) return std::unexpected(made.error());
        records.metadata = *std::move(made);
    }
    return records;
}

}  // namespace weft::archive
