#include "http/h2_exchange.h"

#include <utility>

#include <fmt/format.h>

#include "base/assert.h"
#include "http/failure.h"
#include "http/h2_connection.h"
#include "http/h2_session.h"

namespace weft::http {

// nghttp2 calls us and knows nothing of exceptions: what a sink or a decoder throws is kept.
template <class Body>
void H2Exchange::guard(Body body) noexcept {
    try {
        body();
    } catch (...) {
        error_ = std::current_exception();
        stop();
    }
}

void H2Exchange::stop() {
    is_over_ = true;
    session_.detach(*this);
    changed_.set();
}

void H2Exchange::note_first_byte() {
    progress_ = now_;
    if (first_byte_at_) return;
    first_byte_at_ = now_;
    answer_.start_pace(now_);
}

void H2Exchange::on_interim(int) {
    note_first_byte();
}

void H2Exchange::on_head(int status, Headers& headers) {
    note_first_byte();
    guard([&] {
        Response& response = answer_.response();
        response.status = status;
        response.headers = std::move(headers);
        thread_local std::string head;
        head.clear();
        fmt::format_to(std::back_inserter(head), "HTTP/1.1 {} \r\n", status);
        for (const Field field : response.headers) {
            head.append(field.name).append(": ").append(field.value).append("\r\n");
        }
        head += "\r\n";
        response.wire_head_end = head.size();
        answer_.take_wire(head);
        answer_.take_head();
    });
}

bool H2Exchange::on_content(std::string_view piece) {
    if (is_over_) return true;
    progress_ = now_;
    if (busy_) {
        held_ += piece;
        return false;
    }
    guard([&] {
        if (!answer_.keeps_pace(piece.size(), now_)) {
            throw FetchError(Failure::too_slow, fmt::format("{} sends too slowly", peer_));
        }
        take(piece);
    });
    return true;
}

void H2Exchange::take(std::string_view piece) {
    answer_.take_wire(piece);
    answer_.take_content(piece);
    if (answer_.is_full()) return stop();
    busy_ = answer_.sink().busy();
    if (busy_) changed_.set();
}

void H2Exchange::go_on(TimePoint now) {
    busy_ = nullptr;
    progress_ = now;
    answer_.start_pace(now);
    const std::string held = std::exchange(held_, {});
    if (held.empty()) return;
    session_.release(*this, held.size());
    guard([&] { take(held); });
}

void H2Exchange::on_end(H2End end) {
    end_ = end;
    changed_.set();
}

TimePoint H2Exchange::deadline() const {
    const FetchLimits& limits = answer_.limits();
    const bool waits_for_answer = sent_at_ && !first_byte_at_;
    return progress_ + (waits_for_answer ? limits.first_byte_timeout : limits.idle_timeout);
}

void H2Exchange::fail_late() const {
    if (first_byte_at_) {
        throw FetchError(Failure::idle_timeout, fmt::format("{} fell silent after {} bytes", peer_,
                                                            answer_.response().wire_bytes));
    }
    if (sent_at_) {
        throw FetchError(Failure::first_byte_timeout, fmt::format("{} did not answer", peer_));
    }
    throw FetchError(Failure::send_timeout, fmt::format("{} did not take the request", peer_));
}

void H2Exchange::end_with(const H2ConnectionEnd& end) {
    if (is_over() || end_) return;
    is_over_ = true;
    changed_.set();
    const bool is_fault = end.kind == H2ConnectionEnd::Kind::failed;
    if (!has_received() && !is_fault) {
        error_ = std::make_exception_ptr(
            UnansweredError(UnansweredError::Reason::closed, end.failure, end.what));
    } else if (end.kind == H2ConnectionEnd::Kind::closed) {
        error_ = std::make_exception_ptr(FetchError(
            Failure::truncated, fmt::format("{}: closed inside the answer: {} bytes of content",
                                            peer_, content_bytes())));
    } else {
        error_ = std::make_exception_ptr(FetchError(end.failure, end.what));
    }
}

void H2Exchange::finish() {
    WEFT_ASSERT(is_over());
    if (error_) std::rethrow_exception(error_);
    if (!answer_.is_full() && *end_ != H2End::complete) fail_end(*end_);
    answer_.finish();
}

void H2Exchange::fail_end(H2End end) const {
    using Reason = UnansweredError::Reason;
    const std::string what = fmt::format("{}: {}", peer_, describe(end));
    switch (end) {
        case H2End::refused:
        case H2End::http1_required:
            if (has_received()) throw FetchError(Failure::reset, what);
            throw UnansweredError(end == H2End::refused ? Reason::refused : Reason::http1_required,
                                  Failure::reset, what);
        case H2End::reset: throw FetchError(Failure::reset, what);
        case H2End::too_short:
            throw FetchError(Failure::truncated,
                             fmt::format("{}: {} of {} bytes", what, content_bytes(),
                                         content_length().value_or(0)));
        case H2End::unsent: throw FetchError(Failure::bad_request, what);
        default: throw FetchError(Failure::bad_response, what);
    }
}

}  // namespace weft::http
