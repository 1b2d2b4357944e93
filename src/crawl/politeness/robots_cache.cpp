#include "crawl/politeness/robots_cache.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "base/limits.h"
#include "crawl/visit/capture.h"
#include "http/client/failure.h"
#include "http/client/memory_lender.h"
#include "http/client/redirect.h"
#include "web/fields/date.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr Duration kLifetime = 24h;
constexpr Duration kStaleLifetime = 30 * 24h;
constexpr Duration kUnavailableFirst = 10s;  // Four times as long each time,
constexpr Duration kUnavailableMax = 1h;     // up to this.
constexpr Duration kFailureLifetime = 1s;    // Long enough for those who wait for the same answer.

// Of an answer with its head, as received.
constexpr std::size_t kWireBytesMax = limits::kHeaderBlockBytesMax + limits::kRobotsBytesMax;

void append_up_to(std::size_t bytes_max, std::string& text, std::string_view piece) {
    text += piece.substr(0, bytes_max - std::min(bytes_max, text.size()));
}

// Most files need no more, their heads included.
constexpr std::size_t kRobotsUsualBytes = 16_KiB;

// With every redirect on the way.
constexpr std::size_t kLargestBytes =
    (limits::kRobotsRedirectCountMax + 1) * 2 * (kWireBytesMax + limits::kRobotsBytesMax);

// An entry of the cache without rules.
constexpr std::size_t kEntryBytes = 512;

// Only the start of a robots.txt counts; the rest is not even kept. What is kept is lent, beside
// the `earlier_bytes` of the redirects before: without credit the fetch ends.
class RobotsSink final : public http::ResponseSink, public http::MemoryLender {
public:
    RobotsSink(bool keeps_wire, BodyCredit::Loan& loan, std::size_t earlier_bytes)
        : keeps_wire_(keeps_wire), loan_(loan), earlier_bytes_(earlier_bytes) {}

    void on_start() override {
        text.clear();
        wire = {};
    }
    void on_request(std::string_view head) override {
        if (keeps_wire_) wire.request = head;
    }
    void on_wire(std::string_view bytes) override {
        if (keeps_wire_) append_up_to(kWireBytesMax, wire.response, bytes);
    }
    void on_content(std::string_view piece) override {
        append_up_to(limits::kRobotsBytesMax, text, piece);
    }
    bool lends(std::size_t fetch_bytes) override {
        const std::size_t bytes = earlier_bytes_ + wire_bytes() + text.capacity() + fetch_bytes;
        return bytes <= loan_.bytes() || loan_.grow(bytes + kRobotsUsualBytes) || loan_.grow(bytes);
    }

    std::size_t wire_bytes() const { return wire.request.capacity() + wire.response.capacity(); }

    std::string text;
    WireBytes wire;

private:
    bool keeps_wire_;
    BodyCredit::Loan& loan_;
    std::size_t earlier_bytes_;
};

archive::Capture capture_of(const http::Request& request, WallTime date,
                            const http::Response& response, RobotsSink& sink,
                            Credentials credentials) {
    archive::Capture capture =
        make_capture(request.url, date, response, std::move(sink.wire), credentials);
    if (response.wire_bytes > capture.response.size()) {
        capture.truncated = archive::Truncated::length;
    }
    // Sites answer their front page for everything: pages are revisits of pages only.
    capture.stands_alone = true;
    capture.metadata.emplace_back("found-as", "robots");
    capture.metadata.emplace_back("fetchTimeMs", std::to_string(response.timings.total / 1ms));
    return capture;
}

// An answer that closes the origin; the cache says until when.
class Closed : public Error {
public:
    Closed(const std::string& what, const http::Response& response)
        : Error(what), status(response.status) {
        if (const auto field = response.headers.get("Retry-After")) {
            retry_after = web::parse_retry_after(*field, aio::EventLoop::running().wall_time());
        }
    }

    int status;
    std::optional<Duration> retry_after;
};

// "https://example.com:8080", without a copy. REQUIRES: no user or password.
std::string_view origin_of(const web::Url& url) {
    return {url.href().data(), url.path_and_query().data()};
}

}  // namespace

RobotsMeaning robots_meaning(int status, bool forbidden_denies) {
    const bool is_forbidden = status == 401 || status == 403;
    if (status >= 500 || status == 429 || (is_forbidden && forbidden_denies)) {
        return RobotsMeaning::closed;
    }
    return status >= 200 && status < 300 ? RobotsMeaning::rules : RobotsMeaning::open;
}

const web::Robots* RobotsCache::find(const web::Url& url, TimePoint now) {
    const auto found = by_origin_.find(origin_of(url));
    if (found == by_origin_.end()) return nullptr;
    const Entry& entry = **found->second;
    if (!entry.rules || entry.error || entry.expires <= now) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return entry.rules.get();
}

Co<RobotsCache::Answer> RobotsCache::get(const web::Url& url, Captures* captures,
                                         BodyCredit::Loan* held) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const EntryPtr entry = entry_of(url);
    const aio::Lock::Guard guard = co_await entry->lock.acquire();
    const bool is_due = entry->expires <= loop.time();
    BodyCredit::Loan loan;
    if (is_due) co_await renew(*entry, url.resolve("/robots.txt").value(), captures, loan);
    if (held) *held = std::move(loan);
    if (entry->error) std::rethrow_exception(entry->error);
    co_return Answer{.rules = entry->rules, .is_new = is_due};
}

Co<> RobotsCache::renew(Entry& entry, web::Url robots_url, Captures* captures,
                        BodyCredit::Loan& held) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    entry.error = nullptr;
    try {
        Fetched fetched = co_await fetch(std::move(robots_url), captures, held);
        const TimePoint now = loop.time();
        if (by_origin_.contains(entry.origin)) bytes_ += fetched.bytes - entry.bytes;
        entry.rules = std::move(fetched.rules);
        entry.bytes = fetched.bytes;
        entry.fetched = now;
        entry.expires = now + kLifetime;
        entry.failure_count = 0;
        make_room();
    } catch (const Closed& closed) {
        Duration lifetime = closed.retry_after.value_or(kUnavailableFirst);
        for (unsigned i = 0; i < entry.failure_count && lifetime < kUnavailableMax; ++i) {
            if (!closed.retry_after) lifetime *= 4;
        }
        // What the server asks for is told as it is: the crawl decides whether it waits so long.
        const Duration lifetime_max = closed.retry_after ? kLifetime : kUnavailableMax;
        lifetime = std::clamp(lifetime, kUnavailableFirst, lifetime_max);
        const std::string times =
            entry.failure_count > 0 ? fmt::format(", asked {} times", entry.failure_count + 1) : "";
        entry.error = std::make_exception_ptr(
            RobotsUnavailable(closed.what() + times, closed.status, loop.time() + lifetime,
                              closed.retry_after.has_value()));
        fail(entry, lifetime, loop.time());
    } catch (const http::FetchError&) {
        entry.error = std::current_exception();
        fail(entry, kFailureLifetime, loop.time());
    }
}

// What was known before is better than nothing, for a time.
void RobotsCache::fail(Entry& entry, Duration lifetime, TimePoint now) {
    ++entry.failure_count;
    entry.expires = now + lifetime;
    if (entry.rules && now - entry.fetched < kStaleLifetime) entry.error = nullptr;
}

Co<RobotsCache::Fetched> RobotsCache::fetch(web::Url robots_url, Captures* captures,
                                            BodyCredit::Loan& held) {
    if (!options_.credit) co_return co_await follow(std::move(robots_url), captures, held);
    held = co_await options_.credit->borrow(kRobotsUsualBytes);
    const std::size_t known_count = captures ? captures->size() : 0;
    try {
        co_return co_await follow(robots_url, captures, held);
    } catch (const http::FetchError& error) {
        if (error.failure() != http::Failure::no_resources) throw;
    }
    // Too large for what was left: it is asked for again when there is enough for any file.
    if (captures) captures->resize(known_count);
    held = {};
    held = co_await options_.credit->borrow(kLargestBytes);
    co_return co_await follow(std::move(robots_url), captures, held);
}

Co<RobotsCache::Fetched> RobotsCache::follow(web::Url robots_url, Captures* captures,
                                             BodyCredit::Loan& held) {
    const std::string asked = robots_url.href();
    std::size_t held_bytes = 0;  // In `captures`.
    for (int hop = 0; hop <= limits::kRobotsRedirectCountMax; ++hop) {
        RobotsSink sink(captures != nullptr, held, held_bytes);
        const WallTime date = aio::EventLoop::running().wall_time();
        http::Request request{.url = robots_url};
        if (options_.headers_for) request.headers = options_.headers_for(robots_url);
        http::Response response;
        co_await client_.fetch(request, sink, response);
        held_bytes += sink.wire_bytes();
        if (captures) {
            captures->push_back(capture_of(request, date, response, sink, options_.credentials));
        }
        const int status = response.status;
        const RobotsMeaning meaning = robots_meaning(status, options_.forbidden_denies);
        if (meaning == RobotsMeaning::closed) {
            throw Closed(fmt::format("{} answered {}", asked, status), response);
        }
        auto next = http::redirect_target(robots_url, response);
        if (!next) break;
        if (!*next) {
            const std::string_view text =
                meaning == RobotsMeaning::rules ? std::string_view(sink.text) : "";
            auto rules = std::make_shared<web::Robots>(web::Robots::parse(text));
            const std::size_t bytes = rules->memory_bytes() + kEntryBytes;
            co_return Fetched{std::move(rules), bytes};
        }
        robots_url = **std::move(next);
    }
    co_return Fetched{std::make_shared<web::Robots>(web::Robots::parse("")), kEntryBytes};
}

RobotsCache::EntryPtr RobotsCache::entry_of(const web::Url& url) {
    const auto found = by_origin_.find(origin_of(url));
    if (found != by_origin_.end()) {
        entries_.splice(entries_.begin(), entries_, found->second);
        return entries_.front();
    }
    entries_.push_front(std::make_shared<Entry>(origin_of(url)));
    by_origin_.emplace(entries_.front()->origin, entries_.begin());
    make_room();
    return entries_.front();
}

// An entry that is in use lives on with its users, and is fetched anew by the next.
void RobotsCache::make_room() {
    while (entries_.size() > 1 &&
           (entries_.size() > options_.count_max || bytes_ > options_.bytes_max)) {
        Entry& oldest = *entries_.back();
        bytes_ -= oldest.bytes;
        by_origin_.erase(oldest.origin);
        entries_.pop_back();
    }
}

}  // namespace weft::crawl
