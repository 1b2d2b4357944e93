#pragma once

#include <cstddef>
#include <functional>
#include <optional>
#include <ostream>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "http/message/response_parser.h"

namespace weft::http {

// What a parser made of the bytes of one response, in a form that can be compared.
struct Reading {
    std::vector<std::string> interim;  // The raw heads.
    int status = 0;
    int minor_version = 0;
    std::string reason;
    std::vector<std::pair<std::string, std::string>> headers;
    std::vector<std::pair<std::string, std::string>> trailers;
    std::string raw_head;
    std::string body;
    std::string progress;
    bool has_head = false;
    bool complete = false;
    bool keep_alive = false;
    Oddities oddities;
    std::optional<ParseError> error;
    std::size_t left = 0;  // Bytes behind the response.

    bool operator==(const Reading&) const = default;
};

inline void PrintTo(const Reading& reading, std::ostream* out) {
    *out << fmt::format(
        "status {} reason '{}' fields {} trailers {} body '{}' left {} {} {} {} {}", reading.status,
        reading.reason, reading.headers.size(), reading.trailers.size(), reading.body, reading.left,
        reading.complete ? "complete" : "incomplete", reading.keep_alive ? "kept" : "closed",
        reading.oddities.names(), reading.error ? describe(*reading.error) : "");
}

inline std::vector<std::pair<std::string, std::string>> copy_of(const Headers& headers) {
    std::vector<std::pair<std::string, std::string>> copy;
    for (const Field field : headers) copy.emplace_back(field.name, field.value);
    return copy;
}

// Gives `parser`, already started, the bytes in pieces of the lengths `piece_bytes()` says, then
// the end of the stream.
inline Reading read_pieces(ResponseParser& parser, std::string_view bytes,
                           const std::function<std::size_t()>& piece_bytes) {
    using Event = ResponseParser::Event;
    Reading reading;
    std::string piece;  // Exactly sized, so that a sanitizer sees reads past its end.
    std::size_t given = 0;
    const auto take_head = [&] {
        reading.has_head = true;
        reading.status = parser.status();
        reading.minor_version = parser.minor_version();
        reading.reason = parser.reason();
        reading.headers = copy_of(parser.headers());
        reading.raw_head = parser.raw_head();
    };
    while (true) {
        const auto step = parser.next(piece);
        if (!step) {
            reading.error = step.error();
            break;
        }
        reading.body += step->body;
        piece.erase(0, step->consumed);
        piece.shrink_to_fit();
        if (step->event == Event::interim) reading.interim.emplace_back(parser.raw_head());
        if (step->event == Event::head) take_head();
        if (step->event == Event::end) {
            reading.complete = true;
            reading.keep_alive = parser.keep_alive();
            break;
        }
        if (step->event != Event::need_more) continue;
        if (given == bytes.size()) {
            const auto finished = parser.finish();
            if (finished) reading.complete = true;
            if (!finished) reading.error = finished.error();
            reading.progress = parser.progress();
            break;
        }
        piece += bytes.substr(given, piece_bytes());
        given += piece.size();
    }
    reading.left = reading.error ? 0 : bytes.size() - given + piece.size();
    reading.trailers = copy_of(parser.trailers());
    reading.oddities = parser.oddities();
    return reading;
}

inline Reading read_response(std::string_view bytes, std::string_view method = "GET",
                             std::size_t piece_bytes = std::string_view::npos) {
    ResponseParser parser;
    parser.start(method);
    return read_pieces(parser, bytes, [=] { return piece_bytes; });
}

// Reads a response whole, byte by byte, and cut in two at every place: one result.
inline Reading read_all_ways(std::string_view bytes, std::string_view method = "GET") {
    const Reading whole = read_response(bytes, method);
    EXPECT_EQ(whole, read_response(bytes, method, 1)) << bytes;
    for (std::size_t cut = 1; cut < bytes.size(); ++cut) {
        ResponseParser parser;
        parser.start(method);
        std::size_t piece = 0;
        const Reading reading =
            read_pieces(parser, bytes, [&] { return piece++ == 0 ? cut : std::string_view::npos; });
        EXPECT_EQ(whole, reading) << bytes << " cut at " << cut;
    }
    return whole;
}

}  // namespace weft::http
