#include "http/connect/connection.h"

#include <array>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "base/units.h"
#include "http/message/request_writer.h"

namespace weft::http {

using aio::Co;

namespace {

// Short bodies are sent together with the head, in one packet; longer ones are not copied.
constexpr std::size_t kBodyBytesWithHeadMax = 16_KiB;

}  // namespace

Connection::Connection(aio::Stream stream)
    : stream_(std::move(stream)), tls_(dynamic_cast<aio::TlsTransport*>(&stream_.transport())) {}

bool Connection::is_reusable() const {
    // Bytes after the end of the response belong to no request (H10).
    return is_sound_ && parser_.keep_alive() && stream_.buffered().size() == unconsumed_bytes_;
}

bool Connection::is_alive() {
    std::array<char, 1> room;
    return aio::would_block(stream_.transport().read(room));
}

Co<> Connection::start(Conversation& conversation) {
    received_ = false;
    is_sound_ = false;
    stream_.consume(std::exchange(unconsumed_bytes_, 0));
    parsed_bytes_ = 0;
    Response& response = conversation.response;
    FetchClock& clock = conversation.clock;
    describe_peer(response);
    clock.enter(Phase::sending);
    co_await send(conversation);
    response.timings.sent = clock.elapsed();

    clock.enter(Phase::head);
    parser_.start(conversation.request.method);
    pace_.start(TimePoint(clock.elapsed()));
    if (const std::string_view early = stream_.buffered(); !early.empty()) {
        // The server spoke first, and its bytes came together with the reply of a proxy (H133).
        received_ = true;
        response.timings.first_byte = clock.elapsed();
        response.wire_bytes += early.size();
        conversation.sink.on_wire(early);
    }
    for (;;) {
        const auto step = parser_.next(stream_.buffered());
        if (!step) fail_parse(step.error(), clock);
        stream_.consume(step->consumed);
        parsed_bytes_ += step->consumed;
        if (step->event == ResponseParser::Event::head) break;
        if (step->event != ResponseParser::Event::need_more) continue;
        const bool more = co_await receive(conversation);
        if (!more) take_end(conversation);
    }
    take_head(response);
    clock.enter(Phase::body);
    is_sound_ = true;
}

Co<std::string_view> Connection::read(Conversation& conversation) {
    stream_.consume(std::exchange(unconsumed_bytes_, 0));
    for (;;) {
        const auto step = parser_.next(stream_.buffered());
        if (!step) fail_parse(step.error(), conversation.clock);
        parsed_bytes_ += step->consumed;
        if (step->event == ResponseParser::Event::body) {
            // The piece is a view into the stream's buffer, so it is consumed only with the next
            // call.
            unconsumed_bytes_ = step->consumed;
            co_return step->body;
        }
        stream_.consume(step->consumed);
        if (step->event == ResponseParser::Event::end) co_return std::string_view();
        const bool more = co_await receive(conversation);
        if (!more) {
            take_end(conversation);
            co_return std::string_view();
        }
    }
}

void Connection::describe_peer(Response& response) {
    response.peer = peer();
    if (!tls_) return;
    response.tls_protocol = tls_->protocol();
    response.tls_cipher = tls_->cipher();
    response.tls_resumed = tls_->is_resumed();
}

Co<> Connection::send(Conversation& conversation) {
    const Request& request = conversation.request;
    output_.clear();
    const RequestHead head{
        .method = request.method, .target = conversation.target, .headers = conversation.headers};
    if (const auto written = write_request_head(head, output_); !written) {
        conversation.clock.fail(Failure::bad_request, fmt::format("request cannot be sent: {}",
                                                                  describe(written.error())));
    }
    conversation.sink.on_request(output_);
    const bool goes_with_head =
        !request.body_source && request.body.size() <= kBodyBytesWithHeadMax;
    if (goes_with_head) output_ += request.body;
    try {
        co_await write(output_, conversation);
    } catch (const aio::IoError& error) {
        conversation.clock.fail(Failure::reset, fmt::format("reset: {}", error.what()));
    }
    if (goes_with_head) co_return;
    try {
        co_await send_body(conversation);
    } catch (const aio::IoError&) {
        // A server that wants no more of the body responds and closes (413): its response may
        // already be here, so go on reading.
    }
}

Co<> Connection::send_body(Conversation& conversation) {
    const Request& request = conversation.request;
    if (!request.body_source) {
        co_await write(request.body, conversation);
        co_return;
    }
    for (std::uint64_t offset = 0;;) {
        const std::string piece = co_await request.body_source(offset);
        // The empty last piece becomes "0\r\n\r\n", the last chunk without trailers.
        output_ = fmt::format("{:x}\r\n{}\r\n", piece.size(), piece);
        co_await write(output_, conversation);
        if (piece.empty()) co_return;
        offset += piece.size();
    }
}

Co<> Connection::write(std::string_view bytes, Conversation& conversation) {
    const aio::IoResult at_once = stream_.transport().write(bytes);
    if (at_once && *at_once == bytes.size()) co_return;  // The usual case needs no timer.
    // An error is left to stream_.write(), which meets it again and throws.
    if (at_once) bytes.remove_prefix(*at_once);
    co_await conversation.clock.wait(stream_.write(bytes), conversation.limits.idle_timeout,
                                     Failure::send_timeout);
}

// Waits for more bytes; false at the end of the stream.
Co<bool> Connection::receive(Conversation& conversation) {
    const FetchLimits& limits = conversation.limits;
    Response& response = conversation.response;
    FetchClock& clock = conversation.clock;
    // Checked here as well: while bytes keep arriving, no wait would ever end by its deadline.
    clock.check();
    const std::size_t before = stream_.buffered().size();
    bool more = false;
    try {
        more = co_await clock.wait(stream_.fill(),
                                   received_ ? limits.idle_timeout : limits.first_byte_timeout,
                                   received_ ? Failure::idle_timeout : Failure::first_byte_timeout);
    } catch (const aio::IoError& error) {
        clock.fail(Failure::reset, fmt::format("reset after {} bytes of the answer: {}",
                                               response.wire_bytes, error.what()));
    }
    if (!received_) response.timings.first_byte = clock.elapsed();
    if (!more) co_return false;
    received_ = true;
    const std::string_view fresh = stream_.buffered().substr(before);
    response.wire_bytes += fresh.size();
    conversation.sink.on_wire(fresh);
    if (!pace_.keeps(fresh.size(), TimePoint(clock.elapsed()), limits)) {
        clock.fail(Failure::too_slow, fmt::format("too slow: less than {} a second over {}",
                                                  human_bytes(limits.rate_bytes_per_second_min),
                                                  human_duration(limits.rate_window)));
    }
    co_return true;
}

void Connection::take_head(Response& response) {
    response.status = parser_.status();
    response.reason = parser_.reason();
    response.minor_version = parser_.minor_version();
    response.headers = parser_.headers();
    response.protocol = response.minor_version == 0 ? "http/1.0" : "http/1.1";
    response.wire_head_end = parsed_bytes_;
    response.wire_head_begin = parsed_bytes_ - parser_.raw_head().size();
}

// The stream has ended: either that completes the response, or it is a failure. Under TLS only a
// closing alert is a clean end (H59).
void Connection::take_end(const Conversation& conversation) {
    const bool is_clean = !tls_ || tls_->ended_cleanly();
    const auto ended = parser_.finish(is_clean ? StreamEnd::clean : StreamEnd::cut);
    if (!ended) fail_parse(ended.error(), conversation.clock);
}

void Connection::fail_parse(ParseError error, const FetchClock& clock) const {
    switch (error) {
        case ParseError::not_http:
        case ParseError::tls_record:
            clock.fail(Failure::not_http, fmt::format("not HTTP: {}", describe(error)));
        case ParseError::closed_before_message:
            clock.fail(Failure::closed_early, "closed without an answer");
        case ParseError::truncated_head:
        case ParseError::truncated_body:
            clock.fail(Failure::truncated, fmt::format("truncated: {}", parser_.progress()));
        default: clock.fail(Failure::bad_response, fmt::format("bad answer: {}", describe(error)));
    }
}

}  // namespace weft::http
