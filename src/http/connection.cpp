#include "http/connection.h"

#include <algorithm>
#include <array>
#include <memory>
#include <optional>

#include <fmt/format.h>

#include "aio/errors.h"
#include "aio/loop.h"
#include "aio/sleep.h"
#include "aio/timeout.h"
#include "aio/tls.h"
#include "base/escape.h"
#include "http/content_range.h"
#include "http/failure.h"
#include "http/request_writer.h"
#include "web/decoder.h"

namespace weft::http {

using aio::Co;

// One request and its answer, as it comes: decoding, caps, pace.
struct Connection::Exchange {
    std::optional<std::string_view> range;  // What was asked for, if not the whole.
    const FetchLimits& limits;
    ResponseSink& sink;
    Response response = {};

    std::optional<web::Decoder> decoder = {};
    std::uint64_t consumed_bytes = 0;  // By the parser, of what was received.
    bool is_full = false;              // A cap was reached: the rest is not wanted.
    TimePoint window_start = {};
    std::uint64_t window_bytes = 0;

    void give(std::string_view content) {
        const std::uint64_t left = limits.content_bytes_max - response.content_bytes;
        if (content.size() > left) is_full = true;
        content = content.substr(0, std::min<std::uint64_t>(content.size(), left));
        response.content_bytes += content.size();
        if (!content.empty()) sink.on_content(content);
    }

    // Bytes came: is the server still fast enough? A window that ends too poor is the end.
    bool keeps_pace(std::uint64_t bytes, TimePoint now) {
        window_bytes += bytes;
        const Duration elapsed = now - window_start;
        if (elapsed < limits.rate_window) return true;
        const double seconds = std::chrono::duration<double>(elapsed).count();
        const double needed = static_cast<double>(limits.rate_bytes_per_second_min) * seconds;
        const bool is_fast_enough = static_cast<double>(window_bytes) >= needed;
        window_start = now;
        window_bytes = 0;
        return is_fast_enough;
    }
};

Connection::Connection(aio::Stream stream, std::string key)
    : stream_(std::move(stream)), key_(std::move(key)) {}

bool Connection::is_alive() {
    if (!reusable_ || !stream_.buffered().empty()) return false;
    std::array<char, 1> room;
    return aio::would_block(stream_.transport().read(room));
}

Co<Response> Connection::exchange(const Request& request, const Headers& headers,
                                  const FetchLimits& limits, ResponseSink& sink, TimePoint start) {
    reusable_ = false;
    received_ = false;
    const aio::EventLoop& loop = aio::EventLoop::running();
    Exchange exchange{.range = headers.get("Range"), .limits = limits, .sink = sink};
    Response& response = exchange.response;
    response.peer = peer();
    if (const auto* tls = dynamic_cast<aio::TlsTransport*>(&stream_.transport())) {
        response.tls_protocol = tls->protocol();
        response.tls_cipher = tls->cipher();
    }
    try {
        co_await send(request, headers, exchange);
        response.timings.sent = loop.time() - start;
        parser_.start(request.method);
        const bool came = co_await receive(exchange);
        response.timings.first_byte = loop.time() - start;
        if (!came) fail_parse(ParseError::closed_before_message);
        co_await read_response(exchange);
    } catch (const aio::IoError& error) {
        throw FetchError(Failure::reset, error.what());
    }
    response.timings.total = loop.time() - start;
    if (exchange.is_full) response.cut = Cut::length;
    if (exchange.decoder) response.was_plain = exchange.decoder->was_plain();
    reusable_ = !exchange.is_full && parser_.keep_alive() && stream_.buffered().empty();
    co_return std::move(response);
}

Co<> Connection::send(const Request& request, const Headers& headers, const Exchange& exchange) {
    output_.clear();
    const RequestHead head{
        .method = request.method, .target = request.url.path_and_query(), .headers = headers};
    if (const auto written = write_request_head(head, output_); !written) {
        throw FetchError(Failure::bad_request, fmt::format("cannot ask for {}: {}",
                                                           escape_for_terminal(request.url.href()),
                                                           describe(written.error())));
    }
    exchange.sink.on_request(output_);
    output_ += request.body;
    try {
        co_await aio::wait_for(stream_.write(output_), exchange.limits.idle_timeout);
    } catch (const aio::TimeoutError&) {
        throw FetchError(Failure::send_timeout,
                         fmt::format("{} did not take the request", peer().to_string()));
    }
}

// Waits for more bytes; false at the end of the stream.
Co<bool> Connection::receive(Exchange& exchange) {
    const std::size_t before = stream_.buffered().size();
    const FetchLimits& limits = exchange.limits;
    bool more = false;
    try {
        more = co_await aio::wait_for(stream_.fill(),
                                      received_ ? limits.idle_timeout : limits.first_byte_timeout);
    } catch (const aio::TimeoutError&) {
        if (!received_) {
            throw FetchError(Failure::first_byte_timeout,
                             fmt::format("{} did not answer", peer().to_string()));
        }
        throw FetchError(Failure::idle_timeout,
                         fmt::format("{} fell silent after {} bytes", peer().to_string(),
                                     exchange.response.wire_bytes));
    }
    if (!more) co_return false;
    received_ = true;
    const std::string_view fresh = stream_.buffered().substr(before);
    exchange.response.wire_bytes += fresh.size();
    exchange.sink.on_wire(fresh);
    co_return true;
}

void Connection::fail_parse(ParseError error) const {
    Failure failure = Failure::bad_response;
    switch (error) {
        case ParseError::not_http:
        case ParseError::tls_record: failure = Failure::not_http; break;
        case ParseError::closed_before_message: failure = Failure::closed_early; break;
        case ParseError::truncated_head:
        case ParseError::truncated_body: failure = Failure::truncated; break;
        default: break;
    }
    const std::string progress = failure == Failure::truncated ? ": " + parser_.progress() : "";
    throw FetchError(failure,
                     fmt::format("{}: {}{}", peer().to_string(), describe(error), progress));
}

namespace {

web::Codings codings_of(const ResponseParser& parser) {
    std::string list = parser.headers().joined("Content-Encoding");
    if (!parser.transfer_codings().empty()) {
        if (!list.empty()) list += ", ";
        list += parser.transfer_codings();
    }
    const auto codings = web::parse_codings(list);
    if (!codings) {
        throw FetchError(
            Failure::bad_encoding,
            fmt::format("Content-Encoding '{}': {}", escape_for_terminal(utf8_prefix(list, 100)),
                        describe(codings.error())));
    }
    return *codings;
}

[[noreturn]] void fail_decoding(web::DecodeError error) {
    const Failure failure =
        error == web::DecodeError::truncated ? Failure::truncated : Failure::bad_encoding;
    throw FetchError(failure, fmt::format("content: {}", describe(error)));
}

}  // namespace

void Connection::check_part(const Exchange& exchange) const {
    if (parser_.status() != 206) return;
    const std::string_view part = parser_.headers().get("Content-Range").value_or("");
    if (exchange.range && answers_range(*exchange.range, part)) return;
    throw FetchError(
        Failure::bad_response,
        fmt::format("{}: 206 Partial Content with '{}', {}", peer().to_string(),
                    escape_for_terminal(utf8_prefix(part, 100)),
                    exchange.range ? "which is not what was asked for" : "which nobody asked for"));
}

void Connection::take_head(Exchange& exchange) {
    check_part(exchange);
    Response& response = exchange.response;
    response.status = parser_.status();
    response.reason = parser_.reason();
    response.minor_version = parser_.minor_version();
    response.headers = parser_.headers();
    if (response.minor_version == 0) response.protocol = "http/1.0";
    response.wire_head_end = exchange.consumed_bytes;
    response.wire_head_begin = exchange.consumed_bytes - parser_.raw_head().size();
    const web::Codings codings = codings_of(parser_);
    if (!codings.empty()) {
        // One byte more than is taken, to tell a full body from one that is too long.
        exchange.decoder.emplace(
            codings, web::DecoderOptions{.decoded_bytes_max = exchange.limits.content_bytes_max + 1,
                                         .allow_plain = true});
    }
    exchange.sink.on_head(response);
}

// A small body may unpack into a large content: the others get their turns, and the deadlines are
// looked at, in between.
Co<> Connection::take_content(Exchange& exchange, std::string_view coded) {
    if (!exchange.decoder) {
        exchange.give(coded);
        co_return;
    }
    thread_local std::array<char, limits::kDecodeStepBytes> scratch;
    std::size_t turn_bytes = 0;
    while (!exchange.is_full) {
        const auto step = exchange.decoder->next(coded, scratch);
        if (!step) {
            if (step.error() != web::DecodeError::too_large) fail_decoding(step.error());
            co_return;
        }
        exchange.give({scratch.data(), step->produced});
        coded.remove_prefix(step->consumed);
        if (step->is_hungry) co_return;
        turn_bytes += step->produced;
        if (turn_bytes < aio::kBytesPerTurnMax) continue;
        turn_bytes = 0;
        co_await aio::yield_now();
    }
}

void Connection::take_end(Exchange& exchange) {
    if (!parser_.is_complete()) {
        const auto* tls = dynamic_cast<aio::TlsTransport*>(&stream_.transport());
        const bool is_clean = !tls || tls->ended_cleanly();
        const auto ended = parser_.finish(is_clean ? StreamEnd::clean : StreamEnd::cut);
        if (!ended) fail_parse(ended.error());
    }
    if (!exchange.decoder) return;
    if (const auto ended = exchange.decoder->finish(); !ended) fail_decoding(ended.error());
}

Co<> Connection::read_response(Exchange& exchange) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    exchange.window_start = loop.time();
    for (;;) {
        const auto step = parser_.next(stream_.buffered());
        if (!step) fail_parse(step.error());
        exchange.consumed_bytes += step->consumed;
        if (step->event == ResponseParser::Event::head) take_head(exchange);
        if (step->event == ResponseParser::Event::body) {
            co_await take_content(exchange, step->body);
        }
        stream_.consume(step->consumed);
        if (exchange.response.wire_bytes > exchange.limits.wire_bytes_max) exchange.is_full = true;
        if (exchange.is_full) co_return;
        if (step->event == ResponseParser::Event::end) break;
        if (step->event != ResponseParser::Event::need_more) continue;

        const std::uint64_t before = exchange.response.wire_bytes;
        const bool more = co_await receive(exchange);
        if (!more) break;
        if (!exchange.keeps_pace(exchange.response.wire_bytes - before, loop.time())) {
            throw FetchError(Failure::too_slow,
                             fmt::format("{} sends too slowly", peer().to_string()));
        }
    }
    take_end(exchange);
}

}  // namespace weft::http
