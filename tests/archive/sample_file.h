#pragma once

#include <string>
#include <vector>

#include <gtest/gtest.h>

#include "archive/index/cdxj.h"
#include "archive/warc/exchange.h"
#include "archive/warc/record_packer.h"

// A small WARC file of every record type we write, for the tests of reading.
namespace weft::archive {

// The name of a test that runs for each packing.
inline std::string name_of_packing(const testing::TestParamInfo<Packing>& info) {
    switch (info.param) {
        case Packing::none: return "none";
        case Packing::gzip: return "gzip";
        case Packing::zstd: return "zstd";
    }
    return "";
}

// The bytes of a record in a file that is not packed.
inline std::string bytes_of(const WarcRecord& record) {
    std::string all;
    for (const std::string_view piece : record.pieces()) all += piece;
    return all;
}

struct SampleFile {
    std::string bytes;
    std::vector<std::size_t> offsets;  // Of each record.
    std::string index;                 // The CDXJ lines of response and revisit.
};

class SampleWriter {
public:
    explicit SampleWriter(Packing packing)
        : is_packed_(packing != Packing::none), packer_({packing}) {}

    // The place of the record just written.
    std::size_t add(const WarcRecord& record) {
        file_.offsets.push_back(file_.bytes.size());
        packer_.append(record.pieces(), file_.bytes);
        return file_.offsets.back();
    }

    void add_exchange(const Capture& capture, const Original* same_as, std::string_view warcinfo_id,
                      std::string_view filename) {
        const std::vector<WarcRecord> records =
            make_exchange_records(capture, same_as, warcinfo_id, random_).value();
        CdxEntry entry;
        entry.target_uri = capture.target_uri;
        entry.date = capture.date;
        entry.mime = same_as ? "warc/revisit" : "text/html";
        entry.status = 200;
        entry.digest = capture.payload_digest;
        entry.filename = filename;
        entry.offset = add(records[0]);
        // The empty lines after a plain record are not counted to it.
        entry.length = file_.bytes.size() - entry.offset - (is_packed_ ? 0 : 4);
        file_.index += make_cdxj_line(entry);
        add(records[1]);
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
    std::string info;
    append_warc_field(info, "software", "weft");
    append_warc_field(info, "format", "WARC 1.1");
    writer.add(make_record(fields, {info}).value());

    Capture capture;
    capture.target_uri = "http://www.example.com:8080/Page?b=2&a=%C3%A9";
    capture.date = fields.date;
    capture.ip_address = "::1";
    capture.protocols = {"http/1.1"};
    capture.request = "GET /Page?b=2&a=%C3%A9 HTTP/1.1\r\nHost: www.example.com:8080\r\n\r\n";
    capture.response =
        "HTTP/1.1 200 OK\r\nContent-Type: text/html; charset=utf-8\r\n"
        "Transfer-Encoding: chunked\r\n\r\n";
    capture.response_body = capture.response.size();
    capture.response += "5\r\nhello\r\n0\r\n\r\n";
    Capture* const captures[] = {&capture};
    fill_in_digests(captures);
    writer.add_exchange(capture, nullptr, info_id, filename);

    const Original original{"<urn:uuid:1>", capture.target_uri, capture.date};
    capture.date += std::chrono::hours(1);
    writer.add_exchange(capture, &original, info_id, filename);

    fields = {};
    fields.type = RecordType::metadata;
    const std::string metadata_id = make_record_id(writer.random());
    fields.id = metadata_id;
    fields.date = capture.date;
    fields.target_uri = capture.target_uri;
    fields.content_type = "application/warc-fields";
    std::string outlinks;
    append_warc_field(outlinks, "outlink", "http://example.com/ L a/@href");
    writer.add(make_record(fields, {outlinks}).value());
    return writer.finish();
}

}  // namespace weft::archive
