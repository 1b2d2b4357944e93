#include "cli/archive/answer_content.h"

#include "http/message/response_parser.h"
#include "web/coding/decoder.h"

namespace weft::cli {

using http::ResponseParser;

std::expected<std::string, std::string> payload_of(std::string_view message) {
    ResponseParser parser;
    parser.start("GET");
    std::string body;
    while (!parser.is_complete()) {
        const auto step = parser.next(message);
        if (!step) return std::unexpected(std::string(describe(step.error())));
        message.remove_prefix(step->consumed);
        if (step->event == ResponseParser::Event::body) body += step->body;
        if (step->event != ResponseParser::Event::need_more) continue;
        if (const auto ended = parser.finish(); !ended) break;  // Cut: use what there is.
    }
    const auto codings = web::parse_codings(parser.headers().joined("Content-Encoding"));
    if (!codings) return std::unexpected(std::string(describe(codings.error())));
    // allow_plain: some servers name a coding and send the content without it.
    web::Decoded decoded = web::decode(body, *codings, {.allow_plain = true});
    if (decoded.error && decoded.bytes.empty()) {
        return std::unexpected(std::string(describe(*decoded.error)));
    }
    return std::move(decoded.bytes);
}

}  // namespace weft::cli
