// Responses of one connection: the same readings however cut, views inside the input, bounds held.
#include <optional>
#include <string>
#include <vector>

#include "base/limits.h"
#include "fuzz/cuts.h"
#include "http/message/response_parser.h"

namespace weft::http {
namespace {

using Event = ResponseParser::Event;

// Everything that must not depend on the cut, as text.
std::string transcript(std::string_view bytes, std::string_view method, fuzz::Cutter cutter) {
    std::string out;
    ResponseParser parser;
    std::size_t response_count = 0;
    while (response_count++ < 8) {
        parser.start(method);
        std::optional<ParseError> error;
        std::string body;
        std::string_view rest = bytes;
        std::size_t given = 0;
        while (true) {
            const fuzz::Piece piece(rest.substr(0, given));
            const auto step = parser.next(piece.view());
            if (!step) {
                error = step.error();
                break;
            }
            fuzz::require(step->consumed <= piece.view().size());
            fuzz::require((step->event == Event::body) == !step->body.empty());
            body += step->body;
            rest.remove_prefix(step->consumed);
            given -= step->consumed;
            if (step->event == Event::interim || step->event == Event::head) {
                out += parser.raw_head();
                for (const Field field : parser.headers()) {
                    out.append(field.name).append("=").append(field.value).append(";");
                }
                fuzz::require(parser.headers().size() <= limits::kHeaderCountMax);
                fuzz::require(parser.raw_head().size() <= limits::kHeaderBlockBytesMax);
                fuzz::require(parser.status() >= 100 && parser.status() <= 999);
                fuzz::require(out.find(parser.reason()) != std::string::npos);
            }
            if (step->event == Event::end) break;
            if (step->event != Event::need_more) continue;
            fuzz::require(given == 0);
            if (rest.empty()) {
                const auto finished = parser.finish();
                if (!finished) error = finished.error();
                break;
            }
            given = std::min(cutter.next(), rest.size());
        }
        out += body;
        for (const Field field : parser.trailers()) out.append(field.name).append(field.value);
        out += parser.oddities().names();
        out += parser.keep_alive() ? "kept" : "closed";
        if (error) return out.append(describe(*error));
        fuzz::require(body.size() == parser.body_bytes());
        fuzz::require(!parser.content_length() || body.size() == *parser.content_length());
        out += parser.progress();
        bytes = rest;
        if (bytes.empty()) break;
    }
    return out;
}

}  // namespace
}  // namespace weft::http

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace weft;
    fuzz::Choices choices({reinterpret_cast<const char*>(data), size});
    const unsigned seed = 2 + choices.take();
    constexpr std::string_view kMethods[] = {"GET", "GET", "GET", "GET", "HEAD", "CONNECT"};
    const std::string_view method = kMethods[choices.take() % std::size(kMethods)];
    const std::string_view bytes = choices.rest();
    const std::string whole = http::transcript(bytes, method, fuzz::Cutter(0));
    fuzz::require(whole == http::transcript(bytes, method, fuzz::Cutter(1)));
    fuzz::require(whole == http::transcript(bytes, method, fuzz::Cutter(seed)));
    return 0;
}
