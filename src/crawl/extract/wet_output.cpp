#include "crawl/extract/wet_output.h"

#include <fmt/format.h>

#include "archive/warc/warc_record.h"
#include "base/error.h"
#include "extract/fields/language.h"

namespace weft::crawl {
namespace {

void append_record(const archive::RecordFields& fields, std::string_view block,
                   archive::RecordPacker& packer, std::string& out) {
    const auto record = archive::make_record(fields, {block});
    if (!record) throw Error(std::string(describe(record.error())));
    packer.append(record->pieces(), out);
}

}  // namespace

void WetOutput::begin(Random& random) {
    archive::RecordPacker packer{archive::Compression()};
    info_id_ = archive::make_record_id(random);
    std::string block;
    archive::append_warc_field(block, "software", software_);
    archive::append_warc_field(block, "format", "WARC File Format 1.1");
    archive::append_warc_field(block, "conformsTo",
                               "http://iipc.github.io/warc-specifications/specifications/"
                               "warc-format/warc-1.1/");
    archive::append_warc_field(block, "description", "plain text of HTML pages");
    std::string bytes;
    append_record({.type = archive::RecordType::warcinfo, .id = info_id_, .date = now_}, block,
                  packer, bytes);
    sink().write(bytes);
}

void WetOutput::make(const ArchivedPage& page, const extract::Extract& extract, PageWorker& worker,
                     std::string& out) const {
    if (extract.text.empty()) return;
    const std::string id = archive::make_record_id(worker.random);
    const std::string languages =
        fmt::format("{}", fmt::join(extract::detect_languages(extract.text), ","));
    append_record({.type = archive::RecordType::conversion,
                   .id = id,
                   .date = page.date,
                   .target_uri = page.url,
                   .content_type = "text/plain",
                   .warcinfo_id = info_id_,
                   .identified_content_language = languages,
                   .refers_to = page.record_id},
                  extract.text, worker.packer, out);
}

}  // namespace weft::crawl
