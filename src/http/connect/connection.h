#pragma once

#include <string>

#include "aio/net/stream.h"
#include "aio/net/tls.h"
#include "aio/task/co.h"
#include "http/client/conversation.h"
#include "http/connect/pace.h"
#include "http/message/response_parser.h"

namespace weft::http {

// One HTTP/1.1 connection, which carries one exchange at a time. It keeps its buffers from exchange
// to exchange, so that repeated ones allocate nothing. On one loop's thread; destroying it closes
// the socket.
class Connection : public HttpExchange {
public:
    explicit Connection(aio::Stream stream);

    aio::Co<> start(Conversation& conversation) override;
    aio::Co<std::string_view> read(Conversation& conversation) override;
    std::string_view transfer_codings() const override { return parser_.transfer_codings(); }
    bool has_received() const override { return received_; }

    // Whether the last exchange is complete and another may follow.
    bool is_reusable() const;

    // For an idle connection. False if anything has arrived: its end, or bytes that no request
    // asked for (H10). Call once only: it takes a byte off the socket to find out.
    bool is_alive();

    aio::Endpoint peer() const { return stream_.peer(); }
    aio::Stream& stream() { return stream_; }

    // A buffer for the headers of the next request.
    Headers& headers() { return headers_; }

private:
    void describe_peer(Response& response);
    aio::Co<> send(Conversation& conversation);
    aio::Co<> send_body(Conversation& conversation);
    aio::Co<> write(std::string_view bytes, Conversation& conversation);
    aio::Co<bool> receive(Conversation& conversation);
    void take_head(Response& response);
    void take_end(const Conversation& conversation);
    [[noreturn]] void fail_parse(ParseError error, const FetchClock& clock) const;

    aio::Stream stream_;
    const aio::TlsTransport* tls_;  // The stream's transport if it is TLS; else null.
    ResponseParser parser_;
    Headers headers_;
    std::string output_;  // What is being sent; its memory is kept.
    Pace pace_;
    std::uint64_t parsed_bytes_ = 0;    // Bytes of the response that the parser has consumed.
    std::size_t unconsumed_bytes_ = 0;  // The last piece returned, still in the stream's buffer.
    bool received_ = false;             // A byte of the response has arrived.
    bool is_sound_ = false;             // Nothing has failed in the exchange.
};

}  // namespace weft::http
