// Requests of one connection: the same readings however cut, and no head that could be read in two
// ways: what was read, written again, is read the same.
#include <optional>
#include <string>

#include "base/limits.h"
#include "fuzz/cuts.h"
#include "http/message/request_parser.h"
#include "http/message/request_writer.h"

namespace weft::http {
namespace {

using Event = RequestParser::Event;

// The writer may refuse what was read (a fragment, say); what it writes must come back unchanged.
void check_round_trip(const RequestParser& parser) {
    std::string head;
    const auto written = write_request_head(
        {.method = parser.method(), .target = parser.target(), .headers = parser.headers()}, head);
    if (!written || parser.minor_version() == 0) return;
    RequestParser again;
    again.start();
    const auto step = again.next(head);
    fuzz::require(step && step->event == Event::head && step->consumed == head.size());
    fuzz::require(again.method() == parser.method() && again.target() == parser.target());
    fuzz::require(again.headers().size() == parser.headers().size());
    for (std::size_t i = 0; i < parser.headers().size(); ++i) {
        fuzz::require(again.headers()[i].name == parser.headers()[i].name);
        fuzz::require(again.headers()[i].value == parser.headers()[i].value);
    }
}

std::string transcript(std::string_view bytes, fuzz::Cutter cutter) {
    std::string out;
    RequestParser parser;
    for (int request_count = 0; request_count < 8 && !bytes.empty(); ++request_count) {
        parser.start();
        std::size_t given = 0;
        while (true) {
            const fuzz::Piece piece(bytes.substr(0, given));
            const auto step = parser.next(piece.view());
            if (!step) return out.append(describe(step.error()));
            fuzz::require(step->consumed <= piece.view().size());
            out += step->body;
            bytes.remove_prefix(step->consumed);
            given -= step->consumed;
            if (step->event == Event::head) {
                out.append(parser.raw_head()).append(parser.method()).append(parser.target());
                fuzz::require(parser.headers().size() <= limits::kHeaderCountMax);
                fuzz::require(parser.raw_head().size() <= limits::kHeaderBlockBytesMax);
                check_round_trip(parser);
            }
            if (step->event == Event::end) break;
            if (step->event != Event::need_more) continue;
            fuzz::require(given == 0);
            if (bytes.empty()) {
                const auto finished = parser.finish();
                fuzz::require(!finished);
                return out.append(describe(finished.error()));
            }
            given = std::min(cutter.next(), bytes.size());
        }
        out += parser.keep_alive() ? "kept" : "closed";
    }
    return out;
}

}  // namespace
}  // namespace weft::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
    const unsigned seed = 2 + choices.take();
    const std::string_view bytes = choices.rest();
    const std::string whole = http::transcript(bytes, fuzz::Cutter(0));
    fuzz::require(whole == http::transcript(bytes, fuzz::Cutter(1)));
    fuzz::require(whole == http::transcript(bytes, fuzz::Cutter(seed)));
    return 0;
}
