#pragma once

#include <string>
#include <vector>

#include "archive/index/cdxj.h"
#include "archive/warc/exchange.h"
#include "archive/warc/record_packer.h"

// A small WARC file of every record type we write, for the tests of reading.
namespace weft::archive {

struct SampleFile {
    std::string bytes;
    std::vector<std::size_t> offsets;  // Of each record.
    std::string index;                 // The CDXJ lines of response and revisit.
};

class SampleWriter {
public:
    explicit SampleWriter(Packing packing)
        : is_packed_(packing != Packing::none), packer_(packing) {}

    // The place of the record just written.
    std::size_t add(const WarcRecord& record) {
        file_.offsets.push_back(file_.bytes.size());
        packer_.append(record.pieces(), file_.bytes);
        return file_.offsets.back();
    }

    void add_exchange(const Exchange& exchange, std::string_view filename) {
        const ExchangeRecords records = make_exchange_records(exchange, random_).value();
        CdxEntry entry;
        entry.target_uri = exchange.target_uri;
        entry.date = exchange.date;
        entry.mime = exchange.same_as ? "warc/revisit" : "text/html";
        entry.status = 200;
        entry.digest = records.payload_digest;
        entry.filename = filename;
        entry.offset = add(records.response);
        // The empty lines after a plain record are not counted to it.
        entry.length = file_.bytes.size() - entry.offset - (is_packed_ ? 0 : 4);
        file_.index += make_cdxj_line(entry);
        add(*records.request);
    }

    Random& random() { return random_; }
    SampleFile finish() { return std::move(file_); }

private:
    bool is_packed_;
    RecordPacker packer_;
    Random random_{5};
    SampleFile file_;
};

inline SampleFile make_sample_file(Packing packing, std::string_view filename = "sample.warc.gz") {
    SampleWriter writer(packing);
    RecordFields fields;
    fields.type = RecordType::warcinfo;
    const std::string info_id = make_record_id(writer.random());
    fields.id = info_id;
    fields.date = WallTime(std::chrono::seconds(1'772'366'400));
    fields.filename = filename;
    const std::string info = make_warc_fields({{"software", "weft"}, {"format", "WARC 1.1"}});
    writer.add(make_record(fields, {info}).value());

    Exchange exchange;
    exchange.target_uri = "http://www.example.com:8080/Page?b=2&a=%C3%A9";
    exchange.date = fields.date;
    exchange.ip_address = "::1";
    exchange.warcinfo_id = fields.id;
    const std::string protocol = "http/1.1";
    exchange.protocols = std::span(&protocol, 1);
    exchange.request = "GET /Page?b=2&a=%C3%A9 HTTP/1.1\r\nHost: www.example.com:8080\r\n\r\n";
    exchange.response_head =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        "Transfer-Encoding: chunked\r\n\r\n";
    exchange.response_body = "5\r\nhello\r\n0\r\n\r\n";
    writer.add_exchange(exchange, filename);

    exchange.same_as = Original{"<urn:uuid:1>", std::string(exchange.target_uri), exchange.date};
    exchange.date += std::chrono::hours(1);
    writer.add_exchange(exchange, filename);

    fields = {};
    fields.type = RecordType::metadata;
    const std::string metadata_id = make_record_id(writer.random());
    fields.id = metadata_id;
    fields.date = exchange.date;
    fields.target_uri = exchange.target_uri;
    fields.content_type = "application/warc-fields";
    const std::string outlinks = make_warc_fields({{"outlink", "http://example.com/ L a/@href"}});
    writer.add(make_record(fields, {outlinks}).value());
    return writer.finish();
}

}  // namespace weft::archive
