// A chunked body: the same data, trailers and end however cut, views inside the input, bounds held;
// and the data, put into chunks again, comes back.
#include <algorithm>
#include <string>

#include <fmt/format.h>

#include "base/limits.h"
#include "fuzz/cuts.h"
#include "http/message/chunked_body.h"

namespace weft::http {
namespace {

struct Reading {
    std::string story;  // Everything that must not depend on the cut.
    std::string data;
    bool is_done = false;
};

Reading read(std::string_view bytes, fuzz::Cutter cutter) {
    Reading reading;
    ChunkedBody body;
    std::size_t consumed = 0;
    std::size_t given = 0;
    while (true) {
        const fuzz::Piece piece(bytes.substr(0, given));
        const auto step = body.next(piece.view());
        if (!step) {
            reading.story += describe(step.error());
            break;
        }
        fuzz::require(step->consumed <= piece.view().size());
        fuzz::require(step->data.size() <= step->consumed);
        if (!step->data.empty()) {
            fuzz::require(step->data.data() >= piece.view().data());
            fuzz::require(step->data.data() + step->data.size() ==
                          piece.view().data() + step->consumed);
        }
        reading.data += step->data;
        consumed += step->consumed;
        bytes.remove_prefix(step->consumed);
        given -= step->consumed;
        reading.is_done = step->done;
        if (step->done) break;
        if (!step->data.empty()) continue;
        fuzz::require(given == 0);
        if (bytes.empty()) break;
        given = std::min(cutter.next(), bytes.size());
    }
    for (const Field field : body.trailers()) {
        reading.story += fmt::format("{}={};", field.name, field.value);
    }
    fuzz::require(body.trailers().size() <= limits::kHeaderCountMax);
    fuzz::require(body.is_done() == reading.is_done);
    if (reading.is_done) reading.story += fmt::format("done at {}", consumed);
    reading.story += body.oddities().names() + reading.data;
    return reading;
}

std::string put_into_chunks(std::string_view data, fuzz::Cutter cutter) {
    std::string body;
    while (!data.empty()) {
        const std::string_view chunk = data.substr(0, cutter.next());
        body += fmt::format("{:x}\r\n{}\r\n", chunk.size(), chunk);
        data.remove_prefix(chunk.size());
    }
    return body + "0\r\n\r\n";
}

}  // namespace
}  // namespace weft::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
    const unsigned seed = 2 + choices.take();
    const std::string_view bytes = choices.rest();
    const http::Reading whole = http::read(bytes, fuzz::Cutter(0));
    fuzz::require(whole.story == http::read(bytes, fuzz::Cutter(1)).story);
    fuzz::require(whole.story == http::read(bytes, fuzz::Cutter(seed)).story);
    fuzz::require(whole.data.size() <= bytes.size());

    const std::string again = http::put_into_chunks(bytes, fuzz::Cutter(seed));
    const http::Reading back = http::read(again, fuzz::Cutter(seed));
    fuzz::require(back.is_done && back.data == bytes);
    return 0;
}
