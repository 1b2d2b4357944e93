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

constexpr Duration kLifetime = 24h;            // RFC 9309 section 2.4: at most 24 hours.
constexpr Duration kStaleLifetime = 30 * 24h;  // Of old rules while robots.txt is unavailable.
constexpr Duration kUnavailableFirst = 10s;    // The first pause; each further one is four times
constexpr Duration kUnavailableMax = 1h;       // as long, up to this.
constexpr Duration kFailureLifetime = 1s;      // Long enough for tasks that wait for the same file.

// The most that is captured of one response, with its head, as received.
constexpr std::size_t kWireBytesMax = limits::kHeaderBlockBytesMax + limits::kRobotsBytesMax;

void append_up_to(std::size_t bytes_max, std::string& text, std::string_view piece) {
    text += piece.substr(0, bytes_max - std::min(bytes_max, text.size()));
}

// What is borrowed before a fetch. Most files need no more, their heads included.
constexpr std::size_t kRobotsUsualBytes = 16_KiB;

constexpr std::string_view kTdmPath = "/.well-known/tdmrep.json";
constexpr std::size_t kFilesMax = 2;  // robots.txt and tdmrep.json.

// The most that one fetch can take: all redirects with the largest files, each with its buffers.
constexpr std::size_t kLargestBytes = kFilesMax * (limits::kRobotsRedirectCountMax + 1) * 2 *
                                      (kWireBytesMax + limits::kRobotsBytesMax);

// What a cache entry takes besides its rules.
constexpr std::size_t kEntryBytes = 512;

// Keeps the start of a file; the rest is dropped (RFC 9309 section 2.5 allows a limit). The
// loan covers what is kept and the `earlier_bytes` of the redirects before. Without credit the
// fetch ends.
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
    // Some sites send their front page for any URL. A page must not become a revisit of such a
    // "robots.txt".
    capture.stands_alone = true;
    archive::append_warc_field(capture.metadata, "found-as", "robots");
    archive::append_warc_field(capture.metadata, "fetchTimeMs",
                               std::to_string(response.timings.total / 1ms));
    return capture;
}

// A response that closes the origin. renew() decides for how long.
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

// RFC 9309 section 2.3.1.3 (4xx: unavailable, all allowed) and 2.3.1.4 (5xx: unreachable, all
// disallowed). A 429 says that the server is busy, not that there are no rules.
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
    const OriginRobots& entry = **found->second;
    if (!entry.rules || entry.error || entry.expires <= now) return nullptr;
    entries_.splice(entries_.begin(), entries_, found->second);
    return entry.rules.get();
}

RobotsCache::Terms RobotsCache::find_terms(const web::Url& url) const {
    const auto found = by_origin_.find(origin_of(url));
    return found == by_origin_.end() ? nullptr : (*found->second)->terms;
}

Co<RobotsCache::Answer> RobotsCache::get(const web::Url& url, Captures* captures,
                                         BodyCredit::Loan* held) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const OriginRobotsPtr entry = entry_of(url);
    const aio::Lock::Guard guard = co_await entry->lock.acquire();
    const bool is_due = entry->expires <= loop.time();
    BodyCredit::Loan loan;
    if (is_due) co_await renew(*entry, url.resolve("/robots.txt").value(), captures, loan);
    if (held) *held = std::move(loan);
    if (entry->error) std::rethrow_exception(entry->error);
    co_return Answer{.rules = entry->rules, .terms = entry->terms, .is_new = is_due};
}

Co<> RobotsCache::renew(OriginRobots& entry, web::Url robots_url, Captures* captures,
                        BodyCredit::Loan& held) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    entry.error = nullptr;
    try {
        Fetched fetched = co_await fetch(std::move(robots_url), captures, held);
        const TimePoint now = loop.time();
        // The cache may have forgotten the entry during the fetch, and may have a newer one of the
        // same origin: then this one counts no more.
        const auto kept = by_origin_.find(entry.origin);
        if (kept != by_origin_.end() && kept->second->get() == &entry) {
            bytes_ += fetched.bytes - entry.bytes;
        }
        entry.rules = std::move(fetched.rules);
        entry.terms = std::move(fetched.terms);
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
        // A long Retry-After is passed on: the crawl decides whether it waits that long.
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

// Notes a failure. Old rules stay in force for a time: get() then returns them and does not throw
// (RFC 9309 section 2.3.1.4 allows the cached copy).
void RobotsCache::fail(OriginRobots& entry, Duration lifetime, TimePoint now) {
    ++entry.failure_count;
    entry.expires = now + lifetime;
    if (entry.rules && now - entry.fetched < kStaleLifetime) entry.error = nullptr;
}

// One fetch of an origin's files.
struct RobotsCache::Reading {
    Captures* captures;  // Null: nothing is archived.
    BodyCredit::Loan& loan;
    bool has_largest = false;    // The loan is the largest that there is.
    std::size_t held_bytes = 0;  // In `captures`.
};

// Fetches with the usual loan, and once more with a loan for the largest files if that was too
// small.
Co<RobotsCache::Fetched> RobotsCache::fetch(web::Url robots_url, Captures* captures,
                                            BodyCredit::Loan& held) {
    const Reading largest{.captures = captures, .loan = held, .has_largest = true};
    if (!options_.credit) co_return co_await read(std::move(robots_url), largest);
    held = co_await options_.credit->borrow(kRobotsUsualBytes);
    const std::size_t known_count = captures ? captures->size() : 0;
    try {
        co_return co_await read(robots_url, {.captures = captures, .loan = held});
    } catch (const http::FetchError& error) {
        if (error.failure() != http::Failure::no_resources) throw;
    }
    // Too large for the free credit. The first loan is returned before the larger one is borrowed:
    // a task that holds a loan while it waits for another could wait for itself.
    if (captures) captures->resize(known_count);
    held = {};
    held = co_await options_.credit->borrow(kLargestBytes);
    co_return co_await read(std::move(robots_url), largest);
}

Co<RobotsCache::Fetched> RobotsCache::read(web::Url robots_url, Reading reading) {
    const std::string text = co_await follow(robots_url, reading);
    Fetched fetched;
    fetched.rules = std::make_shared<web::Robots>(web::Robots::parse(text));
    if (!options_.agent.empty()) {
        web::Url tdm_url = robots_url.resolve(kTdmPath).value();
        fetched.terms = co_await read_terms(*fetched.rules, std::move(tdm_url), reading);
    }
    fetched.bytes = kEntryBytes + fetched.rules->memory_bytes() +
                    (fetched.terms ? fetched.terms->memory_bytes() : 0);
    co_return fetched;
}

// Null if the origin says nothing about the use of its pages. Throws a FetchError only if the loan
// was too small and a larger one may do.
Co<RobotsCache::Terms> RobotsCache::read_terms(const web::Robots& rules, web::Url tdm_url,
                                               Reading& reading) {
    SiteTerms terms{.robots = rules.usage_preferences(options_.agent), .tdm = {}};
    if (rules.allows(options_.agent, kTdmPath)) {
        try {
            const std::string text = co_await follow(std::move(tdm_url), reading);
            terms.tdm = extract::TdmRules::parse(text);
        } catch (const Closed&) {
        } catch (const http::FetchError& error) {
            const bool is_too_small = error.failure() == http::Failure::no_resources;
            if (is_too_small && !reading.has_largest) throw;
        }
    }
    if (terms.says_nothing()) co_return nullptr;
    co_return std::make_shared<const SiteTerms>(std::move(terms));
}

// The content of a file, after redirects; empty if it does not exist. Throws Closed, FetchError.
Co<std::string> RobotsCache::follow(web::Url file_url, Reading& reading) {
    const std::string asked = file_url.href();
    for (int hop = 0; hop <= limits::kRobotsRedirectCountMax; ++hop) {
        RobotsSink sink(reading.captures != nullptr, reading.loan, reading.held_bytes);
        const WallTime date = aio::EventLoop::running().wall_time();
        http::Request request{.url = file_url};
        if (options_.headers_for) request.headers = options_.headers_for(file_url);
        http::Response response;
        co_await client_.fetch(request, sink, response);
        reading.held_bytes += sink.wire_bytes();
        if (reading.captures) {
            reading.captures->push_back(
                capture_of(request, date, response, sink, options_.credentials));
        }
        const int status = response.status;
        const RobotsMeaning meaning = robots_meaning(status, options_.forbidden_denies);
        if (meaning == RobotsMeaning::closed) {
            throw Closed(fmt::format("{} answered {}", asked, status), response);
        }
        auto next = http::redirect_target(file_url, response);
        if (!next) break;
        if (!*next) co_return meaning == RobotsMeaning::rules ? std::move(sink.text) : "";
        file_url = **std::move(next);
    }
    // More than five redirects may count as unavailable, which means no rules (RFC 9309 section
    // 2.3.1.2). A redirect to no valid URL is treated the same way.
    co_return "";
}

RobotsCache::OriginRobotsPtr RobotsCache::entry_of(const web::Url& url) {
    const auto found = by_origin_.find(origin_of(url));
    if (found != by_origin_.end()) {
        entries_.splice(entries_.begin(), entries_, found->second);
        return entries_.front();
    }
    entries_.push_front(std::make_shared<OriginRobots>(origin_of(url)));
    by_origin_.emplace(entries_.front()->origin, entries_.begin());
    make_room();
    return entries_.front();
}

// A forgotten entry that is in use lives on with its users (EntryPtr). The next get() makes a new
// one.
void RobotsCache::make_room() {
    while (entries_.size() > 1 &&
           (entries_.size() > options_.count_max || bytes_ > options_.bytes_max)) {
        OriginRobots& oldest = *entries_.back();
        bytes_ -= oldest.bytes;
        by_origin_.erase(oldest.origin);
        entries_.pop_back();
    }
}

}  // namespace weft::crawl
