#include "http/client/fetch.h"

#include <algorithm>
#include <iterator>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/sleep.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/hash.h"
#include "base/scratch.h"
#include "base/units.h"

namespace weft::http {

using aio::Co;

namespace {

// How much of an unwanted body is read only to keep its connection. If there is more, it is closed.
constexpr std::uint64_t kDiscardedBytesMax = 64_KiB;

// Sending the request twice has the same effect as sending it once (RFC 9110, 9.2.2).
bool is_idempotent(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" ||
           method == "DELETE" || method == "TRACE";
}

// Methods for which an empty body is announced too (RFC 9110, 8.6: Content-Length: 0).
bool may_have_body(std::string_view method) {
    return method == "POST" || method == "PUT" || method == "PATCH";
}

// Whatever decides which certificates are accepted or shown.
std::string fingerprint(const ClientOptions& options) {
    std::string text =
        fmt::format("{}\n{}\n", options.verify_certificates, options.ca_file.string());
    if (options.certificate) {
        text += fmt::format("{}\n{}\n", options.certificate->certificate_file.string(),
                            options.certificate->key_file.string());
    }
    return fmt::format("{:016x}", hash64(text));
}

}  // namespace

ClientParts::ClientParts(ClientOptions the_options)
    : options(std::move(the_options)),
      pool(options.pool),
      h2(options.pool.idle_time_max, pool),
      dialer(options, pool),
      authenticator(options.credentials),
      options_key(fingerprint(options)) {}

ClientParts::~ClientParts() = default;

Fetch::Fetch(ClientParts& client, const Request& request, ResponseSink& sink, Response& response)
    : client_(client),
      request_(request),
      sink_(sink),
      lender_(dynamic_cast<MemoryLender*>(&sink)),
      response_(response),
      clock_(request.url.host(),
             request.total_timeout.value_or(client.options.limits.total_timeout)) {
    response_.clear();
}

Fetch::~Fetch() {
    leave_http2();
}

void Fetch::leave_http2() {
    if (!h2_) return;
    h2_.reset();
    client_.h2.make_way(*turn_);
}

Co<> Fetch::start() {
    choose_way();
    co_await enter();
    bool has_logged_in = false;
    for (;;) {
        co_await ask();
        if (response_.status != 401 || has_logged_in) break;
        // learn() is false if there are no credentials, or if the server rejected those just sent.
        if (!client_.authenticator.learn(request_.url, response_.headers, authorization_)) break;
        has_logged_in = true;
        co_await discard_answer();
    }
    if (ClientCookies* jar = client_.options.cookies.get()) {
        jar->take(request_.url, response_.headers, aio::EventLoop::running().wall_time());
    }
    check_range();
    content_.emplace(response_, client_.options.limits, clock_);
    if (client_.options.decode) content_->decode(exchange().transfer_codings());
    sink_.on_head(response_);
    borrow_memory();
}

// Counts the head twice: it is in memory as received and as fields.
void Fetch::borrow_memory() {
    if (!lender_) return;
    const std::uint64_t head_bytes = response_.wire_head_end - response_.wire_head_begin;
    if (lender_->lends(2 * head_bytes + content_->memory_bytes())) return;
    clock_.fail(Failure::no_resources,
                "the answer needs more memory than there is for it now (--memory)");
}

void Fetch::choose_way() {
    const web::Url& url = request_.url;
    if (!url.is_http()) {
        clock_.fail(Failure::bad_request, fmt::format("cannot fetch {}: only http and https are "
                                                      "spoken",
                                                      escape_for_terminal(url.href())));
    }
    target_ = url.path_and_query();
    if (client_.options.proxies.empty()) return;
    auto chosen = client_.options.proxies.choose(url);
    if (!chosen) {
        clock_.fail(Failure::bad_request, fmt::format("proxy: {}", describe(chosen.error())));
    }
    proxy_ = *std::move(chosen);
    if (!proxy_) return;
    response_.used_proxy = true;
    // The proxy looks the name up, so the address policy never sees an address, only the name.
    if (proxy_->resolves()) client_.dialer.check_name(url, clock_);
    if (!proxy_->is_socks() && url.scheme() == "http") {
        // A proxy takes http requests in absolute form (RFC 9112, 3.2.2); https goes through
        // CONNECT.
        target_room_ = fmt::format("http://{}{}", url.host(), url.path_and_query());
        target_ = target_room_;
    }
}

// Waits for a permit to use the host. The key contains everything that makes connections differ.
Co<> Fetch::enter() {
    std::string full_key;  // Copied out of shared memory only if we have to wait.
    {
        const Scratch<std::string, struct PoolKey> key;
        write_key(*key);
        turn_ = client_.pool.try_enter(*key);
        if (turn_) co_return;
        full_key = *key;
    }
    turn_ = co_await clock_.wait(client_.pool.enter(std::move(full_key)),
                                 client_.options.limits.total_timeout, Failure::total_timeout);
    response_.timings.waited = clock_.elapsed();
}

void Fetch::write_key(std::string& key) const {
    const web::Url& url = request_.url;
    key.append(url.scheme()).append("://").append(url.host());  // A default port is never written.
    key.append(" ").append(client_.options_key);
    const auto out = std::back_inserter(key);
    if (proxy_) {
        // Credentials as a hash: keys must not contain secrets.
        fmt::format_to(out, " {} {:016x}", proxy_->to_string(),
                       hash64(proxy_->user + '\n' + proxy_->password));
    }
    // Some servers authenticate a connection, not a request, so connections of different logins
    // must not be exchanged.
    if (const auto own = request_.headers.get("Authorization")) {
        fmt::format_to(out, " {:016x}", hash64(*own));
    }
}

// Sends the request and reads the head of the response. If a kept connection is closed by the
// server at this moment, or the server refuses the stream, the request is sent once more on a new
// connection (H09, H51, H52).
Co<> Fetch::ask() {
    for (bool is_again = false;; is_again = true) {
        const bool is_kept = !is_again && take_kept();
        if (!is_kept) co_await open();
        try {
            co_await converse();
            response_.reused_connection = is_kept;
            co_return;
        } catch (const FetchError& error) {
            if (is_again || !may_ask_again(error, is_kept)) throw;
        }
        h2_.reset();
        connection_.reset();
    }
}

bool Fetch::may_ask_again(const FetchError& error, bool is_kept) {
    if (const auto* unanswered = dynamic_cast<const UnansweredError*>(&error)) {
        // The server said that it has not processed the request, so any method may be sent again.
        // Only `closed` says nothing: then the rules of H09 apply.
        using enum UnansweredError::Reason;
        is_http1_only_ = unanswered->why() == http1_required;
        return unanswered->why() != closed || (is_kept && is_idempotent(request_.method));
    }
    const bool met_a_close =
        error.failure() == Failure::reset || error.failure() == Failure::closed_early;
    return is_kept && met_a_close && !exchange().has_received() && is_idempotent(request_.method);
}

// Our HTTP/2 streams cannot send a body whose length is not known in advance.
bool Fetch::wants_http2() const {
    const Protocols protocols = client_.options.protocols;
    if (protocols == Protocols::http1 || is_http1_only_ || request_.body_source) return false;
    if (request_.url.scheme() == "https") return true;
    return protocols == Protocols::http2_prior_knowledge && target_room_.empty();
}

// Opens a stream on the HTTP/2 connection that the fetches of this key share, if there is one and
// the address policy still allows its peer.
bool Fetch::shares_http2() {
    H2Shared* shared = client_.h2.find(turn_->key());
    if (!shared) return false;
    const AddressPolicy& policy = client_.options.addresses;
    const bool is_judged = proxy_ || shared->judged_by == policy.revision();
    if (!is_judged && policy.denies(shared->connection.peer(), request_.url)) return false;
    h2_ = shared->connection.open();
    return true;
}

bool Fetch::take_kept() {
    if (wants_http2() && shares_http2()) return true;
    connection_ = take_idle();
    return connection_ != nullptr;
}

HttpExchange& Fetch::exchange() {
    if (h2_) return *h2_;
    return *connection_;
}

Headers& Fetch::headers() {
    return h2_ ? h2_headers_ : connection_->headers();
}

Conversation Fetch::conversation() {
    return {request_, target_, headers(), client_.options.limits, clock_, sink_, response_};
}

std::unique_ptr<PooledConnection> Fetch::take_idle() {
    const TimePoint now = aio::EventLoop::running().time();
    const AddressPolicy& policy = client_.options.addresses;
    while (auto idle = client_.pool.take(*turn_, now)) {
        // The policy can change while a connection is idle (H118). With a proxy the peer is the
        // proxy, which the policy does not judge.
        const bool is_judged = proxy_ || idle->judged_by == policy.revision();
        if (is_judged || !policy.denies(idle->peer(), request_.url)) return idle;
    }
    return nullptr;
}

namespace {

// FetchClock::wait() takes a coroutine.
Co<aio::Lock::Guard> hold(aio::Lock& lock) {
    co_return co_await lock.acquire();
}

}  // namespace

Co<> Fetch::open() {
    clock_.enter(Phase::waiting);
    const Duration limit = client_.options.limits.total_timeout;
    // One task at a time opens a connection to a host that may speak HTTP/2; the others wait and
    // then share it. A host that is known to speak HTTP/1.1 only needs no such wait.
    const bool offers_http2 = wants_http2();
    aio::Lock::Guard opening;
    if (offers_http2 && !client_.h2.speaks_http1(turn_->key())) {
        opening = co_await clock_.wait(hold(client_.h2.opening(turn_->key())), limit,
                                       Failure::total_timeout);
        if (shares_http2()) co_return;  // Another task has opened one in the meantime.
    }
    const bool is_full = client_.pool.open_count() >= client_.options.pool.connections_max;
    // The pool cannot close idle HTTP/2 connections itself, so they make room here.
    client_.h2.sweep(aio::EventLoop::running().time(), is_full);
    Pool::Room room = co_await clock_.wait(client_.pool.make_room(), limit, Failure::total_timeout);
    // A second attempt must not report the times of the first.
    response_.timings = {.waited = response_.timings.waited};
    const bool is_known = client_.options.protocols == Protocols::http2_prior_knowledge;
    aio::Stream stream = co_await client_.dialer.dial({.url = request_.url,
                                                       .proxy = proxy_,
                                                       .key = turn_->key(),
                                                       .offers_http1 = !is_known,
                                                       .offers_http2 = offers_http2},
                                                      room, clock_, response_.timings);
    const std::uint32_t judged_by = client_.options.addresses.revision();
    const bool is_secure = request_.url.scheme() == "https";
    if (offers_http2 && (is_secure ? has_agreed_on_http2(stream) : is_known)) {
        auto shared = std::make_unique<H2Shared>(std::move(stream), std::move(room));
        shared->judged_by = judged_by;
        h2_ = client_.h2.add(turn_->key(), std::move(shared)).connection.open();
        co_return;
    }
    if (offers_http2) client_.h2.note_http1(turn_->key());
    connection_ = std::make_unique<PooledConnection>(std::move(stream), std::move(room));
    connection_->judged_by = judged_by;
}

Co<> Fetch::converse() {
    response_.wire_bytes = 0;
    sink_.on_start();
    compose(headers());
    Conversation all = conversation();
    co_await exchange().start(all);
}

void Fetch::compose(Headers& headers) {
    const Headers& own = request_.headers;
    headers.clear();
    const auto add_default = [&](std::string_view name, std::string_view value) {
        if (!own.contains(name)) headers.add(name, value);
    };
    // Host goes first, as RFC 9110, 7.2 recommends.
    add_default("Host", request_.url.host());
    add_default("User-Agent", client_.options.user_agent);
    add_default("Accept", "*/*");
    // A range of coded content could not be decoded.
    add_default("Accept-Encoding", request_.range ? "identity" : "gzip, br, zstd");
    if (ClientCookies* jar = client_.options.cookies.get(); jar && !own.contains("Cookie")) {
        const std::string cookies =
            jar->header(request_.url, aio::EventLoop::running().wall_time());
        if (!cookies.empty()) headers.add("Cookie", cookies);
    }
    if (!client_.authenticator.empty() && !own.contains("Authorization")) {
        authorization_ = client_.authenticator.authorization(request_.url, request_.method);
        if (!authorization_.empty()) headers.add("Authorization", authorization_);
    }
    if (!target_room_.empty() && proxy_->has_credentials()) {
        // Only in absolute form: through a tunnel the field would reach the host itself.
        headers.add("Proxy-Authorization", basic_authorization(proxy_->user, proxy_->password));
    }
    if (request_.range) headers.add("Range", request_.range->to_header());
    compose_framing(headers);
    for (const Field field : own) {
        // Framing is ours alone: a caller's length could disagree with the body.
        const bool is_framing = equals_ignore_case(field.name, "Content-Length") ||
                                equals_ignore_case(field.name, "Transfer-Encoding");
        if (!is_framing) headers.add(field.name, field.value);
    }
}

void Fetch::compose_framing(Headers& headers) const {
    if (request_.body_source) {
        headers.add("Transfer-Encoding", "chunked");
    } else if (!request_.body.empty() || may_have_body(request_.method)) {
        headers.add("Content-Length", fmt::format("{}", request_.body.size()));
    }
}

// A 206 must be the part that was asked for (H31).
void Fetch::check_range() {
    if (response_.status != 206) return;
    if (!request_.range) {
        if (request_.headers.contains("Range")) return;  // The caller set it and has to check it.
        clock_.fail(Failure::bad_response, "bad answer: 206 to a request for the whole");
    }
    const auto given = ContentRange::parse(response_.headers.get("Content-Range").value_or(""));
    if (!given || !given->answers(*request_.range)) {
        clock_.fail(Failure::bad_response,
                    fmt::format("bad answer: asked for {}, got '{}'", request_.range->to_header(),
                                escape_for_terminal(utf8_prefix(
                                    response_.headers.get("Content-Range").value_or(""), 100))));
    }
    part_bytes_ = given->length();
}

// Reads the body of a 401 to its end, so that the login can use the same connection.
Co<> Fetch::discard_answer() {
    Conversation all = conversation();
    for (std::uint64_t bytes = 0; bytes <= kDiscardedBytesMax;) {
        const std::string_view piece = co_await exchange().read(all);
        if (piece.empty()) {
            h2_.reset();
            if (connection_) {
                client_.pool.give(*turn_, std::move(connection_), aio::EventLoop::running().time());
            }
            co_return;
        }
        bytes += piece.size();
    }
    h2_.reset();
    connection_.reset();
}

std::string_view Fetch::take(std::span<char> room) {
    if (is_over_ || turn_bytes_ >= aio::kBytesPerTurnMax) return {};
    const std::string_view part = content_->next(room);
    borrow_memory();
    turn_bytes_ += part.size();
    // Much decoding produced nothing: end the turn, so that advance() lets other tasks run (H41).
    if (part.empty() && content_->is_busy()) turn_bytes_ = aio::kBytesPerTurnMax;
    return part;
}

Co<bool> Fetch::advance() {
    // A decompression bomb produces content without any wait, so neither other tasks nor deadlines
    // would get a turn otherwise (H41).
    if (turn_bytes_ >= aio::kBytesPerTurnMax) {
        turn_bytes_ = 0;
        clock_.check();
        co_await aio::sleep(Duration::zero());
        co_return true;
    }
    if (is_over_) co_return false;
    if (content_->is_full() || response_.wire_bytes > client_.options.limits.wire_bytes_max) {
        // The rest of the body is unread, so the connection cannot be used again.
        response_.cut = Cut::length;
        connection_.reset();
        finish();
        co_return false;
    }
    Conversation all = conversation();
    const std::string_view coded = co_await exchange().read(all);
    if (coded.empty()) {
        content_->finish();
        finish();
        co_return false;
    }
    if (client_.options.bandwidth) co_await keep_to_bandwidth(coded.size());
    content_->take(coded);
    co_return true;
}

Co<> Fetch::keep_to_bandwidth(std::uint64_t bytes) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint now = loop.time();
    const TimePoint due = client_.options.bandwidth->take(bytes, now);
    co_await aio::sleep(due - now);
    // We slowed the server down ourselves, so this time does not count against it.
    clock_.excuse(loop.time() - now);
}

void Fetch::finish() {
    is_over_ = true;
    response_.timings.total = clock_.elapsed();
    // A 206 must be as long as its Content-Range says (H31).
    const bool is_whole = response_.cut == Cut::none;
    if (part_bytes_ && is_whole && response_.content_bytes != *part_bytes_) {
        clock_.fail(Failure::truncated, fmt::format("truncated: {} of {} bytes",
                                                    response_.content_bytes, *part_bytes_));
    }
    leave_http2();
    if (connection_) {
        client_.pool.give(*turn_, std::move(connection_), aio::EventLoop::running().time());
    }
    turn_.reset();
}

}  // namespace weft::http
