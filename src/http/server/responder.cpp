#include "http/server/responder.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "base/assert.h"
#include "base/bytes.h"
#include "base/units.h"
#include "http/message/field_line.h"
#include "web/fields/date.h"

namespace weft::http {

using aio::Co;

namespace {

// A body up to this size is sent in one write together with its head.
constexpr std::size_t kJoinedBytesMax = 16_KiB;

// How much a client must take within the write timeout.
constexpr std::size_t kStepBytes = 64_KiB;

// A handler may put text from outside into a field. A line break in it would start another field.
void check(const Reply& reply) {
    const auto is_bad = [](char c) {
        return (static_cast<unsigned char>(c) < 0x20 && c != '\t') || c == 0x7F;
    };
    for (const auto& [name, value] : reply.headers) {
        if (name.empty() || !std::ranges::all_of(name, is_token_byte)) {
            throw Error(fmt::format("'{}' is no field name", name));
        }
        if (std::ranges::any_of(value, is_bad)) {
            throw Error(fmt::format("a control byte in {}: {}", name, value));
        }
    }
}

// RFC 9110, 6.4.1.
bool allows_body(int status) {
    return status >= 200 && status != 204 && status != 304;
}

// Appends the date, in the loop's time. Its text is formatted once a second only.
void append_date(std::string& out) {
    // tidy: allow shared-state: a copy of the text leaves, no view.
    thread_local web::DateSeconds made_for = web::DateSeconds::min();
    // tidy: allow shared-state: likewise.
    thread_local std::string text;
    const auto now =
        std::chrono::floor<std::chrono::seconds>(aio::EventLoop::running().wall_time());
    if (now != made_for) {
        text = web::format_http_date(now);
        made_for = now;
    }
    out += text;
}

}  // namespace

Reply json_reply(std::string text, int status) {
    return {.status = status,
            .headers = {{"Content-Type", "application/json"},
                        {"X-Content-Type-Options", "nosniff"},
                        {"Cache-Control", "no-store"}},
            .body = std::move(text)};
}

Reply status_reply(int status, std::string_view why) {
    return {.status = status,
            .headers = {{"Content-Type", "text/plain; charset=utf-8"},
                        {"X-Content-Type-Options", "nosniff"}},
            .body = fmt::format("{} {}{}{}\n", status, reason_of(status), why.empty() ? "" : ": ",
                                why)};
}

Responder::~Responder() {
    if (has_event_place_) --options_.events->open;
}

bool Responder::take_event_place() {
    if (!options_.events || options_.events->open >= options_.events->max) return false;
    ++options_.events->open;
    has_event_place_ = true;
    return true;
}

void Responder::choose_framing(const Reply& reply, std::optional<std::uint64_t> length) {
    length_ = length.value_or(0);
    if (!allows_body(reply.status)) {
        body_ = Body::none;
    } else if (length) {
        body_ = Body::length;
    } else {
        // HTTP/1.0 has no chunks (RFC 9112, 7.1).
        body_ = request_.minor_version > 0 ? Body::chunked : Body::until_close;
    }
    const auto closes = [](const auto& field) {
        return equals_ignore_case(field.first, "Connection");
    };
    if (body_ == Body::until_close || std::ranges::any_of(reply.headers, closes)) {
        options_.keep_alive = false;
    }
}

std::string Responder::make_head(const Reply& reply) {
    std::string out =
        fmt::format("HTTP/1.1 {} {}\r\nDate: ", reply.status, reason_of(reply.status));
    append_date(out);
    out += "\r\n";
    for (const auto& [name, value] : reply.headers) {
        if (equals_ignore_case(name, "Connection")) continue;
        fmt::format_to(std::back_inserter(out), "{}: {}\r\n", name, value);
    }
    if (body_ == Body::length) {
        fmt::format_to(std::back_inserter(out), "Content-Length: {}\r\n", length_);
    }
    if (body_ == Body::chunked) out += "Transfer-Encoding: chunked\r\n";
    if (!options_.keep_alive) {
        out += "Connection: close\r\n";
    } else if (request_.minor_version == 0) {
        // An HTTP/1.0 client expects a close unless this field says otherwise.
        out += "Connection: keep-alive\r\n";
    }
    out += "\r\n";
    return out;
}

Co<> Responder::reply(Reply reply) {
    const std::string body = std::exchange(reply.body, {});
    co_await start(std::move(reply), body.size());
    if (body_ == Body::length) co_await write(body);
    co_await finish();
}

Co<> Responder::start(Reply head, std::optional<std::uint64_t> length) {
    WEFT_ASSERT(state_ == State::waiting);
    WEFT_ASSERT(head.body.empty());
    check(head);
    choose_framing(head, length);
    pending_ = make_head(head);
    status_ = head.status;
    state_ = State::streaming;
    // A body of unknown length may come much later, so the head is sent now. If the length is
    // known, the head waits for the first piece and is sent together with it.
    if (!length) co_await flush();
}

Co<> Responder::write(std::string_view piece) {
    WEFT_ASSERT(state_ == State::streaming);
    if (piece.empty() || body_ == Body::none || is_head()) co_return;
    body_bytes_ += piece.size();
    WEFT_ASSERT(body_ != Body::length || body_bytes_ <= length_);
    while (!piece.empty()) {
        const std::string_view step = piece.substr(0, kStepBytes);
        piece.remove_prefix(step.size());
        if (body_ == Body::chunked) {
            fmt::format_to(std::back_inserter(pending_), "{:x}\r\n{}\r\n", step.size(), step);
            co_await flush();
        } else if (!pending_.empty() && step.size() <= kJoinedBytesMax) {
            pending_ += step;
            co_await flush();
        } else {
            co_await flush();
            co_await send(step);
        }
    }
}

Co<> Responder::finish() {
    WEFT_ASSERT(state_ == State::streaming);
    if (body_ == Body::chunked && !is_head()) pending_ += "0\r\n\r\n";
    co_await flush();
    // Too short: the state stays `streaming`, so that the server closes the connection.
    if (body_ == Body::length && !is_head() && body_bytes_ < length_) co_return;
    state_ = State::done;
}

Co<> Responder::flush() {
    if (pending_.empty()) co_return;
    co_await send(pending_);
    pending_.clear();
}

Co<> Responder::send(std::string_view bytes) {
    co_await aio::wait_for(stream_.write(bytes), options_.write_timeout);
}

}  // namespace weft::http
