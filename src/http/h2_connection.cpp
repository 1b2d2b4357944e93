#include "http/h2_connection.h"

#include <algorithm>
#include <deque>
#include <vector>

#include <fmt/format.h>

#include "aio/errors.h"
#include "aio/loop.h"
#include "aio/tls.h"
#include "aio/wait_until.h"
#include "base/escape.h"
#include "http/answer.h"
#include "http/h2_exchange.h"
#include "http/request_writer.h"

namespace weft::http {

using aio::Co;

// What the connection's tasks and exchanges share. The tasks hold it, so that it outlives them.
class H2Connection::Core {
public:
    Core(aio::Stream opened, std::string pool_key, const H2Limits& limits)
        : stream(std::move(opened)),
          session(limits),
          key(std::move(pool_key)),
          peer(stream.peer()),
          peer_name(peer.to_string()) {
        if (const auto* tls = dynamic_cast<aio::TlsTransport*>(&stream.transport())) {
            tls_protocol = tls->protocol();
            tls_cipher = tls->cipher();
        }
        set_now();
        idle_since = room_at = now;
    }

    void set_now() { now = aio::EventLoop::running().time(); }
    bool is_usable() const { return !end && !is_write_broken && session.accepts_requests(); }

    // After anything that the session was given: what it wants to say, whom it makes room for.
    void settle() {
        if (session.failure() && !end) {
            const Failure failure = *session.failure() == H2Error::not_http2
                                        ? Failure::not_http
                                        : Failure::bad_response;
            finish({.kind = H2ConnectionEnd::Kind::failed,
                    .failure = failure,
                    .what = fmt::format("{}: {}", peer_name, session.failure_reason())});
        }
        if (session.has_output()) output_ready.set();
        if (!is_usable()) {
            for (H2Exchange* exchange : std::exchange(line, {})) exchange->changed().set();
        } else if (!line.empty() && session.has_room()) {
            line.front()->changed().set();  // It settles in turn, for the next one.
            line.pop_front();
            room_at = now;
        }
    }

    void finish(H2ConnectionEnd how) {
        if (end) return;
        end = std::move(how);
        for (H2Exchange* exchange : exchanges) exchange->end_with(*end);
        output_ready.set();
    }

    void join(H2Exchange& exchange) {
        exchange.index = exchanges.size();
        exchanges.push_back(&exchange);
    }
    void leave(H2Exchange& exchange) {
        std::erase(line, &exchange);
        exchanges.back()->index = exchange.index;
        std::swap(exchanges[exchange.index], exchanges.back());
        exchanges.pop_back();
        session.detach(exchange);
        set_now();
        idle_since = now;
        settle();
    }

    void note_written(std::size_t bytes) {
        written_total += bytes;
        set_now();
        for (H2Exchange* exchange : exchanges) {
            const std::uint64_t mark = exchange->output_mark();
            if (mark > 0 && mark <= written_total && !exchange->is_sent()) {
                exchange->note_sent(now);
            }
        }
    }

    // One of the two tasks is done; with the last one goes the socket.
    void end_task() {
        if (--task_count == 0) stream.close();
    }

    Co<> wait_turn(H2Exchange& exchange, Duration limit);

    aio::Stream stream;
    H2Session session;
    std::string key;
    aio::Endpoint peer;
    std::string peer_name;
    std::string tls_protocol;
    std::string tls_cipher;
    aio::Event output_ready;
    std::string sending;
    std::vector<H2Exchange*> exchanges;
    std::deque<H2Exchange*> line;
    std::uint64_t written_total = 0;
    TimePoint now{};
    TimePoint room_at{};  // When somebody in the line last got a place.
    TimePoint idle_since{};
    std::optional<H2ConnectionEnd> end;
    bool is_write_broken = false;
    int task_count = 2;
};

// A server that allows no streams at all keeps nobody for ever (H53).
Co<> H2Connection::Core::wait_turn(H2Exchange& exchange, Duration limit) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint joined = loop.time();
    line.push_back(&exchange);
    while (is_usable()) {
        co_await aio::wait_until(exchange.changed(), std::max(joined, room_at) + limit);
        if (!is_usable()) break;
        if (exchange.changed().is_set()) {
            exchange.changed().clear();
            if (session.has_room()) co_return;
            line.push_front(&exchange);  // Another was faster.
        } else if (loop.time() >= std::max(joined, room_at) + limit) {
            throw FetchError(Failure::send_timeout,
                             fmt::format("{} allows no further stream", peer_name));
        }
    }
    throw UnansweredError(UnansweredError::Reason::refused, Failure::reset,
                          fmt::format("{} takes no more requests", peer_name));
}

H2Connection::H2Connection(aio::Stream stream, std::string key, const H2Limits& limits)
    : core_(std::make_shared<Core>(std::move(stream), std::move(key), limits)),
      reader_(aio::create_task(read(core_), "http2 reader")),
      writer_(aio::create_task(write(core_), "http2 writer")) {
    core_->output_ready.set();
}

H2Connection::~H2Connection() {
    reader_.cancel();
    writer_.cancel();
}

bool H2Connection::is_usable() const {
    return core_->is_usable();
}
std::size_t H2Connection::exchange_count() const {
    return core_->exchanges.size();
}
TimePoint H2Connection::idle_since() const {
    return core_->idle_since;
}
const std::string& H2Connection::key() const {
    return core_->key;
}
aio::Endpoint H2Connection::peer() const {
    return core_->peer;
}

Co<> H2Connection::read(std::shared_ptr<Core> core) {
    using Kind = H2ConnectionEnd::Kind;
    try {
        while (!core->end) {
            const bool more = co_await core->stream.fill();
            core->set_now();
            if (!more) {
                core->finish({.kind = Kind::closed,
                              .failure = Failure::closed_early,
                              .what = fmt::format("{}: closed before an answer", core->peer_name)});
                break;
            }
            const std::string_view bytes = core->stream.buffered();
            core->session.receive(bytes, core->now);
            core->stream.consume(bytes.size());
            core->settle();
        }
    } catch (const aio::IoError& error) {
        core->finish({.kind = Kind::broken_off, .failure = Failure::reset, .what = error.what()});
    }
    core->settle();
    core->end_task();
}

// What the tasks of one round have to say goes out in one write. A failure here is the reader's to
// find: the server may have said why before it closed.
Co<> H2Connection::write(std::shared_ptr<Core> core) {
    try {
        for (;;) {
            co_await core->output_ready.wait();
            core->output_ready.clear();
            while (core->session.has_output()) {
                core->session.take_output(core->sending);
                if (core->sending.empty()) break;
                co_await core->stream.write(core->sending);
                core->note_written(core->sending.size());
                core->settle();
            }
            if (core->end) break;
        }
    } catch (const aio::IoError&) {
        core->is_write_broken = true;
        core->settle();
    }
    core->end_task();
}

namespace {

// Among a connection's exchanges for as long as it lives.
template <class Core>
class Membership {
public:
    Membership(Core& core, H2Exchange& exchange) : core_(core), exchange_(exchange) {
        core_.join(exchange_);
    }
    ~Membership() { core_.leave(exchange_); }
    Membership(const Membership&) = delete;
    Membership& operator=(const Membership&) = delete;

private:
    Core& core_;
    H2Exchange& exchange_;
};

// The same head as HTTP/1.1 would have, for the archive; and the same checks (H35).
std::string_view write_head(const Request& request, const Headers& headers) {
    thread_local std::string head;
    head.clear();
    const auto written = write_request_head(
        {.method = request.method, .target = request.url.path_and_query(), .headers = headers},
        head);
    if (!written) {
        throw FetchError(Failure::bad_request, fmt::format("cannot ask for {}: {}",
                                                           escape_for_terminal(request.url.href()),
                                                           describe(written.error())));
    }
    return head;
}

}  // namespace

Co<Response> H2Connection::exchange(const Request& request, const Headers& headers,
                                    const FetchLimits& limits, ResponseSink& sink,
                                    TimePoint start) {
    Core& core = *core_;
    const aio::EventLoop& loop = aio::EventLoop::running();
    Answer answer(limits, sink);
    Response& response = answer.response();
    response.protocol = "h2";
    response.peer = core.peer;
    response.tls_protocol = core.tls_protocol;
    response.tls_cipher = core.tls_cipher;
    core.set_now();
    H2Exchange exchange(core.session, answer, core.now, core.peer_name);
    const Membership member(core, exchange);
    if (!core.is_usable() || !core.line.empty() || !core.session.has_room()) {
        co_await core.wait_turn(exchange, limits.idle_timeout);
    }
    sink.on_request(write_head(request, headers));
    core.session.submit(exchange, {.method = request.method,
                                   .scheme = request.url.scheme(),
                                   .authority = headers.get("Host").value_or(""),
                                   .target = request.url.path_and_query(),
                                   .headers = headers,
                                   .body = request.body});
    core.settle();
    while (!exchange.is_over()) {
        if (aio::Event* busy = exchange.busy()) {
            co_await busy->wait();
            exchange.go_on(loop.time());
            core.settle();
            continue;
        }
        exchange.changed().clear();
        co_await aio::wait_until(exchange.changed(), exchange.deadline());
        if (exchange.changed().is_set()) continue;
        if (loop.time() >= exchange.deadline()) exchange.fail_late();
    }
    exchange.finish();
    response.timings.sent = exchange.sent_at().value_or(loop.time()) - start;
    response.timings.first_byte = exchange.first_byte_at().value_or(loop.time()) - start;
    response.timings.total = loop.time() - start;
    co_return std::move(response);
}

}  // namespace weft::http
