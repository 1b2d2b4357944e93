#include "archive/warc/exchange.h"

#include <array>

#include "archive/index/sha1_lanes.h"
#include "archive/warc/record_check.h"

namespace weft::archive {

namespace {

// The fields that all records of an exchange have.
RecordFields common_fields(const Capture& capture, RecordType type, std::string_view id,
                           std::string_view warcinfo_id) {
    RecordFields fields;
    fields.type = type;
    fields.id = id;
    fields.date = capture.date;
    fields.target_uri = capture.target_uri;
    fields.warcinfo_id = warcinfo_id;
    // We make the metadata ourselves, so they have no address and no protocols.
    if (type == RecordType::metadata) return fields;
    fields.ip_address = capture.ip_address;
    fields.protocols = capture.protocols;
    fields.cipher_suite = capture.cipher_suite;
    return fields;
}

// The record of the response; a revisit if there is an original.
std::expected<WarcRecord, RecordError> make_response(const Capture& capture,
                                                     const Original* same_as,
                                                     std::string_view warcinfo_id, Random& random) {
    const std::string id = make_record_id(random);
    RecordFields fields = common_fields(
        capture, same_as ? RecordType::revisit : RecordType::response, id, warcinfo_id);
    fields.truncated = capture.truncated;
    fields.payload_digest = capture.payload_digest;
    if (!same_as) {
        fields.block_digest = capture.block_digest;
        return make_record(fields, {capture.head(), capture.body()});
    }
    const bool is_not_modified = parse_http_head(capture.head()).status == 304;
    fields.profile = is_not_modified ? kServerNotModified : kIdenticalPayload;
    fields.refers_to = same_as->id;
    fields.refers_to_target_uri = same_as->target_uri;
    fields.refers_to_date = same_as->date;
    // The block of a revisit is the head alone (WARC 1.1, 6.7.2).
    return make_record(fields, {capture.head()});
}

}  // namespace

void fill_in_digests(std::span<Capture* const> captures) {
    std::vector<Sha1Message> messages;
    messages.reserve(2 * captures.size());
    for (const Capture* each : captures) {
        messages.push_back({.first = each->body()});
        messages.push_back({.first = each->head(), .second = each->body()});
    }
    label_by_sha1(messages);
    auto message = messages.begin();
    for (Capture* each : captures) {
        each->payload_digest = std::move(message++->label);
        each->block_digest = std::move(message++->label);
    }
}

std::expected<std::vector<WarcRecord>, RecordError> make_exchange_records(
    const Capture& capture, const Original* same_as, std::string_view warcinfo_id, Random& random) {
    auto made = make_response(capture, same_as, warcinfo_id, random);
    if (!made) return std::unexpected(made.error());
    std::vector<WarcRecord> records = {*std::move(made)};

    const std::string response_id = records.front().id;
    // Both digests at once: side by side the second costs nothing (sha1_lanes.h).
    std::array<Sha1Message, 2> blocks{{{.first = capture.request}, {.first = capture.metadata}}};
    label_by_sha1(blocks);
    for (const RecordType type : {RecordType::request, RecordType::metadata}) {
        const bool is_request = type == RecordType::request;
        const Sha1Message& block = blocks[is_request ? 0 : 1];
        if (block.first.empty()) continue;
        const std::string id = make_record_id(random);
        RecordFields fields = common_fields(capture, type, id, warcinfo_id);
        fields.concurrent_to = std::span(&response_id, 1);
        fields.block_digest = block.label;
        if (is_request) fields.removed_fields = capture.removed_fields;
        if (!is_request) fields.content_type = "application/warc-fields";
        made = make_record(fields, {block.first});
        if (!made) return std::unexpected(made.error());
        records.push_back(*std::move(made));
    }
    return records;
}

}  // namespace weft::archive
