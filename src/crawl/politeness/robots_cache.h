#pragma once

#include <cstddef>
#include <exception>
#include <functional>
#include <list>
#include <memory>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "aio/sync/lock.h"
#include "aio/task/co.h"
#include "archive/warc/warc_writer.h"
#include "base/error.h"
#include "base/units.h"
#include "crawl/visit/body_credit.h"
#include "crawl/visit/capture.h"
#include "http/client/client.h"
#include "web/robots/robots.h"
#include "web/url/url.h"

namespace weft::crawl {

// robots.txt could not be had, so nothing of its host may be fetched for now (RFC 9309, 2.3.1.4).
class RobotsUnavailable : public Error {
public:
    RobotsUnavailable(const std::string& what, int status, TimePoint again, bool is_asked_for)
        : Error(what), status_(status), again_at_(again), is_asked_for_(is_asked_for) {}

    int status() const { return status_; }

    // It is not asked for before then.
    TimePoint again_at() const { return again_at_; }

    // The server asked for that time (Retry-After); else it is the crawl's own.
    bool is_asked_for() const { return is_asked_for_; }

private:
    int status_;
    TimePoint again_at_;
    bool is_asked_for_;
};

// What an answer to the request for a robots.txt means (RFC 9309, 2.3.1).
enum class RobotsMeaning {
    rules,   // It holds them.
    open,    // There are none: all is allowed.
    closed,  // Nothing is allowed for now.
};

// Of an answer that is no redirect to follow. `forbidden_denies` as in RobotsOptions.
RobotsMeaning robots_meaning(int status, bool forbidden_denies);

struct RobotsOptions {
    std::size_t count_max = 50'000;
    std::size_t bytes_max = 32_MiB;  // Of what their rules take.
    bool forbidden_denies = false;   // 401 and 403 close the host; else they open it.
    Credentials credentials = Credentials::removed;  // Of what is captured.

    // Lends what is held of a file on its way; null: nobody counts it. Outlives the cache.
    BodyCredit* credit = nullptr;

    // Fields to send besides the client's own; may be empty.
    std::function<http::Headers(const web::Url&)> headers_for;
};

// The robots.txt of each origin, fetched once a day and asked before each fetch.
//
// An answer of 4xx means that there are no rules; 5xx and 429, that the whole origin is closed
// until it can be had, unless an older copy is known, which then holds for up to 30 days. It is
// asked for again when the server says (Retry-After), else after 10 s, 40 s and so on. Up to
// five redirects are followed, and the rules bind the origin that was asked; more are no rules. A
// host that cannot be reached at all throws as its pages would. Over its bounds the cache forgets
// the least recently used. On one loop's thread.
class RobotsCache {
public:
    explicit RobotsCache(http::Client& client, RobotsOptions options = {})
        : client_(client), options_(std::move(options)) {}

    using Rules = std::shared_ptr<const web::Robots>;

    // The rules, if they are known and fresh: no need to wait.
    const web::Robots* find(const web::Url& url, TimePoint now);

    struct Answer {
        Rules rules;
        bool is_new = false;  // Fetched by this very call: its sitemaps have not been seen.
    };

    // What was asked and answered for a robots.txt, each step of its redirects.
    using Captures = std::vector<archive::Capture>;

    // The rules for the URL's origin; waits if somebody else is fetching them. Throws
    // RobotsUnavailable, FetchError. What this very call has fetched goes to `captures`, if there,
    // also when it throws, and what was lent for it to `held`.
    aio::Co<Answer> get(const web::Url& url, Captures* captures = nullptr,
                        BodyCredit::Loan* held = nullptr);

    std::size_t size() const { return entries_.size(); }
    std::size_t bytes() const { return bytes_; }

private:
    struct Entry {
        explicit Entry(std::string_view the_origin) : origin(the_origin) {}

        const std::string origin;
        aio::Lock lock;  // Held by whoever fetches; the others wait for it.
        Rules rules;
        std::size_t bytes = 0;
        TimePoint fetched = TimePoint::min();
        TimePoint expires = TimePoint::min();
        std::exception_ptr error;
        unsigned failure_count = 0;
    };
    using EntryPtr = std::shared_ptr<Entry>;
    struct Fetched {
        Rules rules;
        std::size_t bytes = 0;
    };

    EntryPtr entry_of(const web::Url& url);
    aio::Co<> renew(Entry& entry, web::Url robots_url, Captures* captures, BodyCredit::Loan& held);
    aio::Co<Fetched> fetch(web::Url robots_url, Captures* captures, BodyCredit::Loan& held);
    aio::Co<Fetched> follow(web::Url robots_url, Captures* captures, BodyCredit::Loan& held);
    void fail(Entry& entry, Duration lifetime, TimePoint now);
    void make_room();

    http::Client& client_;
    RobotsOptions options_;
    std::list<EntryPtr> entries_;  // The most recently used first.
    std::unordered_map<std::string_view, std::list<EntryPtr>::iterator> by_origin_;
    std::size_t bytes_ = 0;
};

}  // namespace weft::crawl
