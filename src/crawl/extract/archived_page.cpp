#include "crawl/extract/archived_page.h"

#include <optional>
#include <span>
#include <utility>

#include "archive/index/lines.h"
#include "archive/warc/record_check.h"
#include "base/bytes.h"
#include "base/limits.h"
#include "http/message/chunked_body.h"
#include "web/coding/decoder.h"
#include "web/fields/mime_sniff.h"

namespace weft::crawl {
namespace {

std::string essence_of(std::string_view content_type) {
    return to_lower(trim(content_type.substr(0, content_type.find(';'))));
}

// A type without a slash ("html") is as good as none.
bool is_page_type(std::string_view content_type) {
    const std::string essence = essence_of(content_type);
    return !essence.contains('/') || web::is_html_type(essence);
}

// All values of a field, joined by commas.
std::string joined_field(std::string_view head, std::string_view name) {
    std::string values;
    archive::take_line(head);  // The start line.
    while (!head.empty()) {
        const std::string_view line = archive::take_line(head);
        if (line.empty()) break;
        const std::size_t colon = line.find(':');
        if (colon == std::string_view::npos) continue;
        if (!equals_ignore_case(trim(line.substr(0, colon)), name)) continue;
        if (!values.empty()) values += ", ";
        values += trim(line.substr(colon + 1));
    }
    return values;
}

bool looks_like_markup(std::string_view body) {
    return trim(body.substr(0, limits::kSniffBytesMax)).starts_with('<');
}

// The body without its chunks. Many writers undo the chunks and keep the field: what does not begin
// like a chunk is the body itself.
std::string without_chunks(std::string_view body, bool& is_cut) {
    http::ChunkedBody chunks;
    std::string out;
    for (std::string_view rest = body; !chunks.is_done();) {
        const auto step = chunks.next(rest);
        if (!step) {
            if (out.empty()) return std::string(body);
            is_cut = true;
            break;
        }
        out += step->data;
        rest.remove_prefix(step->consumed);
        if (step->done) break;
        if (step->data.empty() && (step->consumed == 0 || rest.empty())) {
            if (out.empty()) return std::string(body);  // There was no line with a size.
            is_cut = true;
            break;
        }
    }
    return out;
}

// The error is empty if nothing is wrong.
std::string undo_codings(std::string_view list, std::string& body, bool& is_cut) {
    const auto codings = web::parse_codings(list);
    // "utf-8" and the like: the server meant something else.
    if (!codings || codings->empty()) return "";
    web::Decoded decoded = web::decode(
        body, *codings, {.decoded_bytes_max = limits::kHtmlBytesMax, .allow_plain = true});
    if (decoded.error && decoded.bytes.empty()) {
        if (looks_like_markup(body)) return "";
        return std::string(describe(*decoded.error));
    }
    is_cut |= decoded.error.has_value() && *decoded.error != web::DecodeError::trailing_data;
    body = std::move(decoded.bytes);
    return "";
}

bool is_page(std::string_view content_type, std::string_view html) {
    if (web::is_html_type(essence_of(content_type))) return true;
    return web::sniff_mime_type({.content_types = {}, .head = html}).is_html();
}

}  // namespace

bool may_hold_page(const archive::WarcHeader& header) {
    if (header.type() == "resource") return is_page_type(header.get("Content-Type"));
    return header.type() == "response" && archive::holds_http(header);
}

bool may_hold_page(const archive::WarcHeader& header, std::string_view block_start) {
    if (header.type() != "response") return true;
    const archive::HttpHead head = archive::parse_http_head(block_start);
    return head.status == 200 && is_page_type(archive::http_field(
                                     block_start.substr(0, head.size_bytes), "Content-Type"));
}

std::expected<RecordContent, std::string> content_of(const PageCandidate& record) {
    RecordContent made{.is_cut = record.is_cut || !record.header.get("WARC-Truncated").empty()};
    const std::string_view block = record.block;
    if (record.header.type() == "resource") {
        made.content = block;
    } else {
        made.head = block.substr(0, archive::parse_http_head(block).size_bytes);
        made.content = block.substr(made.head.size());
        if (to_lower(joined_field(made.head, "Transfer-Encoding")).contains("chunked"))
            made.content = without_chunks(made.content, made.is_cut);
        std::string error =
            undo_codings(joined_field(made.head, "Content-Encoding"), made.content, made.is_cut);
        if (!error.empty()) return std::unexpected(std::move(error));
    }
    if (made.content.size() > limits::kHtmlBytesMax) {
        made.content.resize(limits::kHtmlBytesMax);
        made.is_cut = true;
    }
    return made;
}

std::expected<ArchivedPage, std::string> open_page(const PageCandidate& record) {
    ArchivedPage page;
    page.url = record.header.target_uri();
    auto content = content_of(record);
    if (!content) return std::unexpected(content.error());
    page.date = parse_iso8601(record.header.get("WARC-Date")).value_or(WallTime());
    page.record_id = record.header.id();
    page.is_cut = content->is_cut;
    page.head = content->head;
    page.content_type = record.header.type() == "resource"
                            ? record.header.get("Content-Type")
                            : archive::http_field(page.head, "Content-Type");
    page.html = std::move(content->content);
    if (!is_page(page.content_type, page.html)) return std::unexpected("");
    return page;
}

}  // namespace weft::crawl
