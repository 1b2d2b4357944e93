#include "http/h2/h2_exchange.h"

#include <cstring>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/net/tls.h"
#include "base/assert.h"
#include "base/scratch.h"
#include "base/units.h"
#include "http/h2/h2_channel.h"
#include "http/message/request_writer.h"

namespace weft::http {

using aio::Co;

H2Exchange::H2Exchange(std::shared_ptr<H2Channel> channel) : channel_(std::move(channel)) {
    channel_->join(*this);
}

H2Exchange::~H2Exchange() {
    // In this order: after detach() the session makes no more calls, and leave() wakes the next
    // exchange in the queue for the stream that this one frees.
    channel_->session().detach(*this);
    channel_->give_buffer(std::move(arrived_));
    channel_->give_buffer(std::move(given_));
    channel_->leave(*this);
}

Co<> H2Exchange::start(Conversation& conversation) {
    describe_peer(conversation.response);
    conversation.clock.enter(Phase::sending);
    if (!channel_->is_usable() || !channel_->has_room()) co_await wait_turn(conversation);
    submit_request(conversation);
    co_await send_body(conversation);

    conversation.clock.enter(Phase::head);
    const FetchLimits& limits = conversation.limits;
    while (head_status_ == 0) {
        if (is_over()) fail(conversation);
        const bool has_begun = first_byte_at_.has_value();
        const Duration limit = has_begun ? limits.idle_timeout : limits.first_byte_timeout;
        co_await change(conversation, limit);
        if (changed_.is_set()) continue;
        conversation.clock.fail_waited(
            limit, has_begun ? Failure::idle_timeout : Failure::first_byte_timeout);
    }
    take_head(conversation);
    conversation.clock.enter(Phase::body);
}

// Waits in the queue for a stream, as long as the queue moves. A server that allows no streams at
// all ends in a timeout (H53).
Co<> H2Exchange::wait_turn(Conversation& conversation) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const Duration limit = conversation.limits.idle_timeout;
    channel_->line_up(*this);
    while (channel_->is_usable()) {
        co_await change(conversation, limit);
        if (!changed_.is_set()) {
            conversation.clock.check();
            if (loop.time() < channel_->room_at() + limit) continue;
            conversation.clock.fail_waited(limit, Failure::send_timeout);
        }
        if (!channel_->is_usable()) break;
        if (channel_->session().has_room()) co_return;
        channel_->line_up_first(*this);  // Another exchange took the stream before we ran.
    }
    fail(conversation);
}

void H2Exchange::submit_request(Conversation& conversation) {
    const Request& request = conversation.request;
    // Writes the head as in HTTP/1.1: for the archive, and for the same checks (H35).
    const Scratch<std::string, struct RequestHeadText> head;
    const auto written = write_request_head(
        {.method = request.method, .target = conversation.target, .headers = conversation.headers},
        *head);
    if (!written) {
        conversation.clock.fail(Failure::bad_request, fmt::format("request cannot be sent: {}",
                                                                  describe(written.error())));
    }
    conversation.sink.on_request(*head);
    // Lends the memory of the response's headers to the stream; take_head() returns it.
    std::swap(fields(), conversation.response.headers);
    fields().clear();
    channel_->session().submit(*this, {.method = request.method,
                                       .scheme = request.url.scheme(),
                                       .authority = conversation.headers.get("Host").value_or(""),
                                       .target = conversation.target,
                                       .headers = conversation.headers,
                                       .body = request.body});
    channel_->settle();
}

// Waits until the body is sent, or the server responds before that. A request without a body needs
// no wait: its head is already in the output.
Co<> H2Exchange::send_body(Conversation& conversation) {
    const Request& request = conversation.request;
    const Duration limit = conversation.limits.idle_timeout;
    while (!request.body.empty() && !sent_at_ && head_status_ == 0 && !is_over()) {
        co_await change(conversation, limit);
        if (!changed_.is_set()) conversation.clock.fail_waited(limit, Failure::send_timeout);
    }
}

namespace {

// Writes a response head as HTTP/1.1, for the archive, without a reason. The size is computed
// first, so that there is one resize and no appending.
void write_status_head(int status, const Headers& headers, std::string& out) {
    std::size_t bytes = std::string_view("HTTP/1.1 200 \r\n\r\n").size();
    for (const Field field : headers) bytes += field.name.size() + field.value.size() + 4;
    out.resize(bytes);
    char* at = out.data();
    const auto put = [&](std::string_view text) {
        std::memcpy(at, text.data(), text.size());
        at += text.size();
    };
    put("HTTP/1.1 ");
    put(fmt::format_int(status).c_str());
    put(" \r\n");
    for (const Field field : headers) {
        put(field.name);
        put(": ");
        put(field.value);
        put("\r\n");
    }
    put("\r\n");
    WEFT_ASSERT(at == out.data() + out.size());
}

}  // namespace

void H2Exchange::take_head(Conversation& conversation) {
    Response& response = conversation.response;
    std::swap(response.headers, fields());
    response.status = head_status_;
    response.protocol = "h2";
    const Scratch<std::string, struct StatusHeadText> head;
    write_status_head(head_status_, response.headers, *head);
    response.wire_head_begin = response.wire_bytes;
    response.wire_bytes += head->size();
    response.wire_head_end = response.wire_bytes;
    const TimePoint now = aio::EventLoop::running().time();
    const Duration elapsed = conversation.clock.elapsed();
    response.timings.sent = elapsed - (now - sent_at_.value_or(now));
    response.timings.first_byte = elapsed - (now - *first_byte_at_);
    pace_.start(*first_byte_at_);
    left_at_ = now;
    conversation.sink.on_wire(*head);
}

Co<std::string_view> H2Exchange::read(Conversation& conversation) {
    away_ += aio::EventLoop::running().time() - left_at_;
    if (!given_.empty()) {
        // The caller is done with the piece it got last, so the server may send as much again.
        channel_->session().release(*this, given_.size());
        channel_->settle();
        given_.clear();
    }
    const Duration limit = conversation.limits.idle_timeout;
    while (arrived_.empty()) {
        // `arrived_` is empty here, so everything before the end has been read.
        if (end_ == H2End::complete) co_return std::string_view();
        if (is_over()) fail(conversation);
        co_await change(conversation, limit);
        if (!changed_.is_set()) conversation.clock.fail_waited(limit, Failure::idle_timeout);
    }
    std::swap(given_, arrived_);
    check_pace(conversation);
    conversation.response.wire_bytes += given_.size();
    conversation.sink.on_wire(given_);
    co_return given_;
}

void H2Exchange::check_pace(Conversation& conversation) {
    const FetchLimits& limits = conversation.limits;
    left_at_ = aio::EventLoop::running().time();
    if (pace_.keeps(given_.size(), left_at_ - away_, limits)) return;
    conversation.clock.fail(Failure::too_slow,
                            fmt::format("too slow: less than {} a second over {}",
                                        human_bytes(limits.rate_bytes_per_second_min),
                                        human_duration(limits.rate_window)));
}

// Waits until changed() is set or the time is up; the caller checks which.
aio::WaitUntil H2Exchange::change(const Conversation& conversation, Duration limit) {
    conversation.clock.check();
    changed_.clear();
    return aio::wait_until(changed_, conversation.clock.until(limit));
}

bool H2Exchange::is_over() const {
    return end_ || channel_->end();
}

void H2Exchange::describe_peer(Response& response) {
    response.peer = channel_->peer();
    const aio::TlsTransport* tls = channel_->tls();
    if (!tls) return;
    response.tls_protocol = tls->protocol();
    response.tls_cipher = tls->cipher();
    response.tls_resumed = tls->is_resumed();
}

void H2Exchange::note_written(std::uint64_t total, TimePoint now) {
    if (sent_at_ || output_mark() == 0 || output_mark() > total) return;
    sent_at_ = now;
    if (has_body()) changed_.set();
}

void H2Exchange::on_interim(int) {
    if (!first_byte_at_) first_byte_at_ = channel_->now();
    changed_.set();
}

void H2Exchange::on_head(int status) {
    if (!first_byte_at_) first_byte_at_ = channel_->now();
    head_status_ = status;
    changed_.set();
}

bool H2Exchange::on_content(std::string_view piece) {
    if (arrived_.empty() && arrived_.capacity() < piece.size()) {
        arrived_ = channel_->take_buffer();
    }
    arrived_ += piece;
    changed_.set();
    return false;  // read() releases it: until then the stream's window stays reduced.
}

void H2Exchange::on_end(H2End end) {
    end_ = end;
    changed_.set();
}

void H2Exchange::fail(const Conversation& conversation) const {
    using Reason = UnansweredError::Reason;
    const FetchClock& clock = conversation.clock;
    if (end_) fail_end(conversation);
    const auto failed = [&](Failure failure, std::string reason) {
        return FetchError(failure, clock.phase(), std::string(clock.host()), std::move(reason));
    };
    const std::optional<H2ChannelEnd>& end = channel_->end();
    // Without an id the request was never submitted, so it is safe to send it elsewhere.
    if (!end || id() == 0) {
        throw UnansweredError(Reason::refused,
                              failed(Failure::reset, "the server takes no more requests"));
    }
    if (end->is_fault) throw failed(end->failure, end->reason);
    if (!has_received()) throw UnansweredError(Reason::closed, failed(end->failure, end->reason));
    if (end->failure != Failure::closed_early) throw failed(end->failure, end->reason);
    throw failed(Failure::truncated,
                 content_length()
                     ? fmt::format("truncated: {} of {} bytes", content_bytes(), *content_length())
                     : fmt::format("truncated: {} bytes, end of stream missing", content_bytes()));
}

void H2Exchange::fail_end(const Conversation& conversation) const {
    using Reason = UnansweredError::Reason;
    const FetchClock& clock = conversation.clock;
    const std::string_view words = describe(*end_);
    switch (*end_) {
        case H2End::refused:
        case H2End::http1_required:
            if (has_received()) clock.fail(Failure::reset, std::string(words));
            throw UnansweredError(
                *end_ == H2End::refused ? Reason::refused : Reason::http1_required,
                FetchError(Failure::reset, clock.phase(), std::string(clock.host()),
                           std::string(words)));
        case H2End::reset:
            clock.fail(Failure::reset, fmt::format("{} after {} bytes", words, content_bytes()));
        case H2End::too_short:
            clock.fail(Failure::truncated, fmt::format("truncated: {} of {} bytes", content_bytes(),
                                                       content_length().value_or(0)));
        case H2End::unsent: clock.fail(Failure::bad_request, std::string(words));
        default: clock.fail(Failure::bad_response, fmt::format("bad answer: {}", words));
    }
}

}  // namespace weft::http
