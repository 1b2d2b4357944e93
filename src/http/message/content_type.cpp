#include "http/message/content_type.h"

#include <algorithm>
#include <array>
#include <utility>

#include "base/bytes.h"

namespace weft::http {

namespace {

using Row = std::pair<std::string_view, std::string_view>;

// Sorted by extension, for the binary search.
constexpr auto kTypes = std::to_array<Row>({
    {"atom", "application/atom+xml"},
    {"avif", "image/avif"},
    {"br", "application/octet-stream"},
    {"bz2", "application/x-bzip2"},
    {"cdxj", "text/plain; charset=utf-8"},
    {"css", "text/css; charset=utf-8"},
    {"csv", "text/csv; charset=utf-8"},
    {"gif", "image/gif"},
    {"gz", "application/gzip"},
    {"htm", "text/html; charset=utf-8"},
    {"html", "text/html; charset=utf-8"},
    {"ico", "image/x-icon"},
    {"jpeg", "image/jpeg"},
    {"jpg", "image/jpeg"},
    {"js", "text/javascript; charset=utf-8"},
    {"json", "application/json"},
    {"jsonl", "application/jsonl"},
    {"log", "text/plain; charset=utf-8"},
    {"md", "text/markdown; charset=utf-8"},
    {"mjs", "text/javascript; charset=utf-8"},
    {"mp3", "audio/mpeg"},
    {"mp4", "video/mp4"},
    {"oga", "audio/ogg"},
    {"ogg", "audio/ogg"},
    {"ogv", "video/ogg"},
    {"otf", "font/otf"},
    {"pdf", "application/pdf"},
    {"png", "image/png"},
    {"rss", "application/rss+xml"},
    {"svg", "image/svg+xml"},
    {"tar", "application/x-tar"},
    {"tif", "image/tiff"},
    {"tiff", "image/tiff"},
    {"ttf", "font/ttf"},
    {"txt", "text/plain; charset=utf-8"},
    {"wacz", "application/wacz"},
    {"warc", "application/warc"},
    {"wasm", "application/wasm"},
    {"wav", "audio/wav"},
    {"webm", "video/webm"},
    {"webmanifest", "application/manifest+json"},
    {"webp", "image/webp"},
    {"woff", "font/woff"},
    {"woff2", "font/woff2"},
    {"xhtml", "application/xhtml+xml"},
    {"xml", "application/xml"},
    {"xz", "application/x-xz"},
    {"zip", "application/zip"},
    {"zst", "application/zstd"},
});
static_assert(std::ranges::is_sorted(kTypes, {}, &Row::first));

}  // namespace

std::string_view content_type_of(std::string_view file_name) {
    const std::size_t dot = file_name.rfind('.');
    const std::string ending =
        dot == std::string_view::npos ? "" : to_lower(file_name.substr(dot + 1));
    const auto found = std::ranges::lower_bound(kTypes, ending, {}, &Row::first);
    if (found == kTypes.end() || found->first != ending) return "application/octet-stream";
    return found->second;
}

}  // namespace weft::http
