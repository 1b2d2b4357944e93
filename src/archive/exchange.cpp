#include "archive/exchange.h"

#include "archive/digest.h"

namespace weft::archive {

namespace {

RecordFields common_fields(const Exchange& exchange, RecordType type, std::string id) {
    RecordFields fields;
    fields.type = type;
    fields.id = std::move(id);
    fields.date = exchange.date;
    fields.target_uri = exchange.target_uri;
    fields.ip_address = exchange.ip_address;
    fields.warcinfo_id = exchange.warcinfo_id;
    fields.protocols = exchange.protocols;
    fields.cipher_suite = exchange.cipher_suite;
    return fields;
}

}  // namespace

std::expected<ExchangeRecords, RecordError> make_exchange_records(const Exchange& exchange,
                                                                  Random& random) {
    ExchangeRecords records;
    records.payload_digest = exchange.payload_digest.empty() && !exchange.is_not_modified
                                 ? sha1_label(std::span(&exchange.response_body, 1))
                                 : exchange.payload_digest;

    const RecordType type = exchange.same_as ? RecordType::revisit : RecordType::response;
    RecordFields response = common_fields(exchange, type, make_record_id(random));
    response.truncated = exchange.truncated;
    response.payload_digest = records.payload_digest;
    response.identified_payload_type = exchange.identified_payload_type;
    std::vector<std::string_view> block = {exchange.response_head};
    if (exchange.same_as) {
        response.profile = exchange.is_not_modified ? kServerNotModified : kIdenticalPayload;
        response.refers_to = exchange.same_as->id;
        response.refers_to_target_uri = exchange.same_as->target_uri;
        response.refers_to_date = exchange.same_as->date;
    } else {
        block.push_back(exchange.response_body);
        response.block_digest = exchange.block_digest;
    }
    std::expected<WarcRecord, RecordError> made = make_record(response, std::move(block));
    if (!made) return std::unexpected(made.error());
    records.response = *std::move(made);

    if (!exchange.request.empty()) {
        RecordFields request = common_fields(exchange, RecordType::request, make_record_id(random));
        request.concurrent_to = {records.response.id};
        made = make_record(request, {exchange.request});
        if (!made) return std::unexpected(made.error());
        records.request = *std::move(made);
    }
    if (!exchange.metadata.empty()) {
        RecordFields metadata;
        metadata.type = RecordType::metadata;
        metadata.id = make_record_id(random);
        metadata.date = exchange.date;
        metadata.target_uri = exchange.target_uri;
        metadata.warcinfo_id = exchange.warcinfo_id;
        metadata.content_type = "application/warc-fields";
        metadata.concurrent_to = {records.response.id};
        made = make_record(metadata, {exchange.metadata});
        if (!made) return std::unexpected(made.error());
        records.metadata = *std::move(made);
    }
    return records;
}

}  // namespace weft::archive
