#include "http/connect/tunnel.h"

#include <fmt/format.h>

#include "base/escape.h"
#include "http/access/authenticator.h"
#include "http/message/request_writer.h"
#include "http/message/response_parser.h"

namespace weft::http {

using aio::Co;

Co<> tunnel(aio::Stream& stream, const Proxy& proxy, std::string authority,
            std::string user_agent) {
    Headers headers;
    headers.add("Host", authority);
    headers.add("User-Agent", user_agent);
    if (proxy.has_credentials()) {
        headers.add("Proxy-Authorization", basic_authorization(proxy.user, proxy.password));
    }
    std::string head;
    const auto written =
        write_request_head({.method = "CONNECT", .target = authority, .headers = headers}, head);
    if (!written) throw ProxyRefusal(std::string(describe(written.error())));
    co_await stream.write(head);

    ResponseParser parser;
    // To the parser a 2xx to CONNECT has no body, so whatever follows the head stays in the stream.
    parser.start("CONNECT");
    for (;;) {
        const auto step = parser.next(stream.buffered());
        if (!step) {
            throw ProxyRefusal(fmt::format("bad answer to CONNECT: {}", describe(step.error())));
        }
        stream.consume(step->consumed);
        if (step->event == ResponseParser::Event::head) break;
        if (step->event != ResponseParser::Event::need_more) continue;
        const bool more = co_await stream.fill();
        if (!more) throw ProxyRefusal("it closed the connection");
    }
    // Every other status is a refusal. The login was sent with the request, so a 407 is not
    // answered a second time (H134).
    if (parser.status() / 100 == 2) co_return;
    const std::string said = fmt::format("it answered {} {} to CONNECT", parser.status(),
                                         escape_for_terminal(utf8_prefix(parser.reason(), 100)));
    throw ProxyRefusal(said, parser.status() == 407);
}

}  // namespace weft::http
