#pragma once

#include <memory>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "aio/files/memory_files.h"
#include "crawl/extract/candidate_reader.h"

// WARC files by hand, for tests that read what other programs wrote.
namespace weft::crawl {

// A record, with the fields that it needs; `more` are further lines, each with its line end.
inline std::string warc_record(std::string_view type, std::string_view uri, std::string_view block,
                               std::string_view more = "") {
    return fmt::format(
        "WARC/1.0\r\nWARC-Type: {}\r\nWARC-Target-URI: {}\r\nWARC-Date: 2026-03-01T10:20:30Z\r\n"
        "WARC-Record-ID: <urn:uuid:{}>\r\n{}Content-Length: {}\r\n\r\n{}\r\n\r\n",
        type, uri, uri, more, block.size(), block);
}

inline std::string warc_response(std::string_view uri, std::string_view message,
                                 std::string_view more = "") {
    return warc_record("response", uri, message,
                       fmt::format("Content-Type: application/http; msgtype=response\r\n{}", more));
}

inline std::string html_response(std::string_view uri, std::string_view body,
                                 std::string_view fields = "", std::string_view more = "") {
    return warc_response(
        uri, fmt::format("HTTP/1.1 200 OK\r\nContent-Type: text/html\r\n{}\r\n{}", fields, body),
        more);
}

// An input of these bytes.
inline PageInput memory_input(std::string bytes) {
    const auto files = std::make_shared<aio::MemoryFiles>();
    files->open("a.warc", aio::OpenMode::create)->append(bytes);
    return {.shown = "a.warc",
            .open = [files] { return files->open("a.warc", aio::OpenMode::read); },
            .size = bytes.size()};
}

}  // namespace weft::crawl
