#include "crawl/folder/stored_response.h"

#include <optional>
#include <vector>

#include <fmt/format.h>

#include "archive/warc/record_check.h"
#include "archive/warc/warc_file.h"
#include "http/message/response_parser.h"
#include "web/coding/decoder.h"

namespace weft::crawl {

using http::ResponseParser;

std::expected<archive::StoredRecord, std::string> read_record(aio::File& file, std::uint64_t offset,
                                                              std::size_t bytes_max,
                                                              Digests digests) {
    archive::WarcFile records(file, offset);
    archive::StoredRecord record;
    std::optional<archive::RecordCheck> check;
    for (;;) {
        auto event = records.next();
        if (!event) {
            return std::unexpected(fmt::format("is damaged: {}", describe(event.error())));
        }
        if (auto* start = std::get_if<archive::RecordStart>(&*event)) {
            if (start->header.content_length() > bytes_max) {
                return std::unexpected(fmt::format("is larger than {} bytes", bytes_max));
            }
            check.emplace(start->header);
            record.header = std::move(start->header);
        } else if (const auto* bytes = std::get_if<archive::RecordBytes>(&*event)) {
            check->update(bytes->bytes);
            record.block += bytes->bytes;
        } else if (const auto* end = std::get_if<archive::RecordEnd>(&*event)) {
            if (!end->is_complete) return std::unexpected("is cut off");
            const bool is_wrong = check->finish(true) == archive::Verdict::wrong;
            if (is_wrong && digests == Digests::checked) {
                return std::unexpected("does not match its digest");
            }
            record.end = *end;
            return record;
        } else {
            return std::unexpected("is not there: the file ends before it");
        }
    }
}

std::expected<http::Response, std::string> replay(std::string_view block,
                                                  http::ResponseSink& sink) {
    ResponseParser parser;
    parser.start("GET");
    http::Response response;
    std::string body;
    bool has_head = false;
    const auto note_head = [&] {
        has_head = true;
        response.status = parser.status();
        response.headers = parser.headers();
    };
    while (!parser.is_complete()) {
        const auto step = parser.next(block);
        if (!step) return std::unexpected(std::string(describe(step.error())));
        block.remove_prefix(step->consumed);
        if (step->event == ResponseParser::Event::head) note_head();
        if (step->event == ResponseParser::Event::body) body += step->body;
        if (step->event != ResponseParser::Event::need_more) continue;
        if (const auto ended = parser.finish(); !ended) break;  // Cut off: use what is there.
    }
    if (!has_head) return std::unexpected("there is no head");
    const auto codings = web::parse_codings(response.headers.joined("Content-Encoding"));
    if (!codings) return std::unexpected(std::string(describe(codings.error())));
    sink.on_start();
    sink.on_head(response);
    web::Decoder decoder(*codings, {.allow_plain = true});
    std::vector<char> room(limits::kDecodeStepBytes);
    const auto decoded =
        decoder.feed(body, room, [&sink](std::string_view content) { sink.on_content(content); });
    response.content_bytes = decoder.decoded_bytes();
    // If decoding fails in the middle, the content before that point counts, unless it is empty.
    if (!decoded && response.content_bytes == 0) {
        return std::unexpected(std::string(describe(decoded.error())));
    }
    return response;
}

}  // namespace weft::crawl
