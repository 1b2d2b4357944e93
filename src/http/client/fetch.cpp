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

// More of an answer than this is not read only to keep its connection.
constexpr std::uint64_t kDiscardedBytesMax = 64_KiB;

// Sending it twice does what sending it once does (RFC 9110, 9.2.2).
bool is_idempotent(std::string_view method) {
    return method == "GET" || method == "HEAD" || method == "OPTIONS" || method == "PUT" ||
           method == "DELETE" || method == "TRACE";
}

bool may_have_body(std::string_view method) {
    return method == "POST" || method == "PUT" || method == "PATCH";
}

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
      h2(options.pool.idle_time_max),
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

Co<> Fetch::start() {
    choose_way();
    co_await enter();
    bool has_logged_in = false;
    for (;;) {
        co_await ask();
        if (response_.status != 401 || has_logged_in) break;
        if (!client_.authenticator.learn(request_.url, response_.headers, authorization_)) break;
        has_logged_in = true;
        co_await discard_answer();
    }
    if (CookieJar* jar = client_.options.cookies.get()) {
        jar->take(request_.url, response_.headers, aio::EventLoop::running().wall_time());
    }
    check_range();
    content_.emplace(response_, client_.options.limits, clock_);
    if (client_.options.decode) content_->decode(exchange().transfer_codings());
    sink_.on_head(response_);
    borrow_memory();
}

// The head is held twice: as received and in fields.
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
    if (proxy_->resolves()) client_.dialer.check_name(url, clock_);
    if (!proxy_->is_socks() && url.scheme() == "http") {
        target_room_ = fmt::format("http://{}{}", url.host(), url.path_and_query());
        target_ = target_room_;
    }
}

// A turn at the host, by a key that holds all that makes connections differ.
Co<> Fetch::enter() {
    std::string full_key;  // Put together in memory that all share, and kept only for a wait.
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
        fmt::format_to(out, " {} {:016x}", proxy_->to_string(),
                       hash64(proxy_->user + '\n' + proxy_->password));
    }
    // Some servers log a connection in, not a request.
    if (const auto own = request_.headers.get("Authorization")) {
        fmt::format_to(out, " {:016x}", hash64(*own));
    }
}

// One request and the head of its answer. A request that meets a kept connection just as the server
// closes it, or a stream that the server refuses, is sent once more on a new one (H09, H51, H52).
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
        using enum UnansweredError::Reason;
        is_http1_only_ = unanswered->why() == http1_required;
        return unanswered->why() != closed || (is_kept && is_idempotent(request_.method));
    }
    const bool met_a_close =
        error.failure() == Failure::reset || error.failure() == Failure::closed_early;
    return is_kept && met_a_close && !exchange().has_received() && is_idempotent(request_.method);
}

// A stream of HTTP/2 has no way to send a body whose length is not known yet.
bool Fetch::wants_http2() const {
    const Protocols protocols = client_.options.protocols;
    if (protocols == Protocols::http1 || is_http1_only_ || request_.body_source) return false;
    if (request_.url.scheme() == "https") return true;
    return protocols == Protocols::http2_prior_knowledge && target_room_.empty();
}

// A stream on the connection that the fetches of this key share, if there is one.
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

Exchange& Fetch::exchange() {
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
        // What may be connected to can change while a connection is idle (H118).
        const bool is_judged = proxy_ || idle->judged_by == policy.revision();
        if (is_judged || !policy.denies(idle->peer(), request_.url)) return idle;
    }
    return nullptr;
}

namespace {

Co<aio::Lock::Guard> hold(aio::Lock& lock) {
    co_return co_await lock.acquire();
}

}  // namespace

Co<> Fetch::open() {
    clock_.enter(Phase::waiting);
    const Duration limit = client_.options.limits.total_timeout;
    const bool offers_http2 = wants_http2();
    aio::Lock::Guard opening;
    if (offers_http2 && !client_.h2.speaks_http1(turn_->key())) {
        opening = co_await clock_.wait(hold(client_.h2.opening(turn_->key())), limit,
                                       Failure::total_timeout);
        if (shares_http2()) co_return;  // Somebody has opened one meanwhile.
    }
    const bool is_full = client_.pool.open_count() >= client_.options.pool.connections_max;
    client_.h2.sweep(aio::EventLoop::running().time(), is_full);
    Pool::Room room = co_await clock_.wait(client_.pool.make_room(), limit, Failure::total_timeout);
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
    add_default("Host", request_.url.host());
    add_default("User-Agent", client_.options.user_agent);
    add_default("Accept", "*/*");
    // A part of coded content is of no use.
    add_default("Accept-Encoding", request_.range ? "identity" : "gzip, br, zstd");
    if (CookieJar* jar = client_.options.cookies.get(); jar && !own.contains("Cookie")) {
        const std::string cookies =
            jar->header(request_.url, aio::EventLoop::running().wall_time());
        if (!cookies.empty()) headers.add("Cookie", cookies);
    }
    if (!client_.authenticator.empty() && !own.contains("Authorization")) {
        authorization_ = client_.authenticator.authorization(request_.url, request_.method);
        if (!authorization_.empty()) headers.add("Authorization", authorization_);
    }
    if (!target_room_.empty() && proxy_->has_credentials()) {
        headers.add("Proxy-Authorization", basic_authorization(proxy_->user, proxy_->password));
    }
    if (request_.range) headers.add("Range", request_.range->to_header());
    compose_framing(headers);
    for (const Field field : own) {
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
        if (request_.headers.contains("Range")) return;  // The caller's own affair.
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
    if (part.empty() && content_->is_busy()) turn_bytes_ = aio::kBytesPerTurnMax;
    return part;
}

Co<bool> Fetch::advance() {
    if (turn_bytes_ >= aio::kBytesPerTurnMax) {  // A bomb of zeros needs no reading.
        turn_bytes_ = 0;
        clock_.check();
        co_await aio::sleep(Duration::zero());
        co_return true;
    }
    if (is_over_) co_return false;
    if (content_->is_full() || response_.wire_bytes > client_.options.limits.wire_bytes_max) {
        response_.cut = Cut::length;
        h2_.reset();
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
    clock_.excuse(loop.time() - now);
}

void Fetch::finish() {
    is_over_ = true;
    response_.timings.total = clock_.elapsed();
    const bool is_whole = response_.cut == Cut::none;
    if (part_bytes_ && is_whole && response_.content_bytes != *part_bytes_) {
        clock_.fail(Failure::truncated, fmt::format("truncated: {} of {} bytes",
                                                    response_.content_bytes, *part_bytes_));
    }
    h2_.reset();
    if (connection_) {
        client_.pool.give(*turn_, std::move(connection_), aio::EventLoop::running().time());
    }
    turn_.reset();
}

}  // namespace weft::http
