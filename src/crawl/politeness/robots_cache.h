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
#include "base/hash.h"
#include "base/units.h"
#include "crawl/extract/site_terms.h"
#include "crawl/visit/body_credit.h"
#include "crawl/visit/capture.h"
#include "http/client/client.h"
#include "web/robots/robots.h"
#include "web/url/url.h"

namespace weft::crawl {

// robots.txt is unavailable, so nothing of its origin may be fetched for now (RFC 9309 section
// 2.3.1.4).
class RobotsUnavailable : public Error {
public:
    RobotsUnavailable(const std::string& what, int status, TimePoint again, bool is_asked_for)
        : Error(what), status_(status), again_at_(again), is_asked_for_(is_asked_for) {}

    int status() const { return status_; }

    // When robots.txt is requested again.
    TimePoint again_at() const { return again_at_; }

    // Whether the server chose that time by a Retry-After. Otherwise the cache did.
    bool is_asked_for() const { return is_asked_for_; }

private:
    int status_;
    TimePoint again_at_;
    bool is_asked_for_;
};

// What the status of a robots.txt response means (RFC 9309 section 2.3.1).
enum class RobotsMeaning {
    rules,   // The content holds the rules.
    open,    // There are no rules: everything is allowed.
    closed,  // Nothing is allowed for now.
};

// For the final response, after redirects. `forbidden_denies` as in RobotsOptions.
RobotsMeaning robots_meaning(int status, bool forbidden_denies);

struct RobotsOptions {
    std::size_t count_max = 50'000;
    std::size_t bytes_max = 32_MiB;                  // Memory of all cached rules.
    bool forbidden_denies = false;                   // 401 and 403 close the origin.
    Credentials credentials = Credentials::removed;  // In the captures.

    // Lends the memory of files being read. Null: that memory is not bounded. Outlives the cache.
    BodyCredit* credit = nullptr;

    // The agent for which the terms of sites are kept (Answer::terms); for them
    // /.well-known/tdmrep.json is fetched as well. Empty: none are kept.
    std::string agent = {};

    // Request fields to send besides the client's own. May be empty.
    std::function<http::Headers(const web::Url&)> headers_for;
};

// The robots.txt of each origin, fetched at most once a day and asked before each fetch.
//
// A 4xx means that there are no rules. A 5xx or 429 closes the whole origin until robots.txt can be
// fetched; but an older copy of the rules, if there is one, stays valid for up to 30 days. Then
// robots.txt is requested again when the server says (Retry-After), else after 10 s, 40 s and so
// on, up to an hour. Up to five redirects are followed, and the rules bind the origin that was
// asked; a longer chain means no rules. A host that cannot be reached throws as its pages would.
//
// If the terms of sites are wanted, /.well-known/tdmrep.json is fetched after robots.txt, in the
// same way and for the same time, unless robots.txt disallows it. It never closes the origin: if it
// cannot be fetched, it reserves nothing.
//
// Beyond its bounds the cache forgets the least recently used origins. Owned by the Visitor, used
// on its loop.
class RobotsCache {
public:
    // `client` outlives the cache.
    explicit RobotsCache(http::Client& client, RobotsOptions options = {})
        : client_(client), options_(std::move(options)) {}

    using Rules = std::shared_ptr<const web::Robots>;
    using Terms = std::shared_ptr<const SiteTerms>;

    // The rules of the URL's origin if they are cached and fresh, else null: then call get(). The
    // pointer is valid until the next co_await.
    const web::Robots* find(const web::Url& url, TimePoint now);

    // What the URL's origin says about the use of its pages; null if nothing, or if nothing is
    // cached. For a URL that find() knows.
    Terms find_terms(const web::Url& url) const;

    struct Answer {
        Rules rules;
        Terms terms;          // Null if the origin says nothing about the use of its pages.
        bool is_new = false;  // This call requested it, so its sitemaps are new to the crawl.
    };

    // The exchanges of one robots.txt fetch, one per redirect, and those of tdmrep.json.
    using Captures = std::vector<archive::Capture>;

    // The rules of the URL's origin. Fetches them if needed; while another task is fetching them,
    // waits for its result. Throws RobotsUnavailable, FetchError. The exchanges of this call are
    // appended to `captures`, also when it throws, and their loan goes to `held`; both may be null.
    // If a fetching call is cancelled, the next waiter fetches.
    aio::Co<Answer> get(const web::Url& url, Captures* captures = nullptr,
                        BodyCredit::Loan* held = nullptr);

    std::size_t size() const { return entries_.size(); }
    std::size_t bytes() const { return bytes_; }

private:
    struct OriginRobots {
        explicit OriginRobots(std::string_view the_origin) : origin(the_origin) {}

        const std::string origin;
        aio::Lock lock;  // Held by the task that fetches; the others wait for it.
        Rules rules;     // The last good ones; may be outdated.
        Terms terms;     // Likewise.
        std::size_t bytes = 0;
        TimePoint fetched = TimePoint::min();  // When `rules` were fetched.
        TimePoint expires = TimePoint::min();  // When robots.txt is due again, after an error too.
        std::exception_ptr error;              // What get() throws until then, if not null.
        unsigned failure_count = 0;            // Failures in a row.
    };
    using OriginRobotsPtr = std::shared_ptr<OriginRobots>;
    struct Fetched {
        Rules rules;
        Terms terms;
        std::size_t bytes = 0;
    };
    struct Reading;

    OriginRobotsPtr entry_of(const web::Url& url);
    aio::Co<> renew(OriginRobots& entry, web::Url robots_url, Captures* captures,
                    BodyCredit::Loan& held);
    aio::Co<Fetched> fetch(web::Url robots_url, Captures* captures, BodyCredit::Loan& held);
    aio::Co<Fetched> read(web::Url robots_url, Reading reading);
    aio::Co<Terms> read_terms(const web::Robots& rules, web::Url tdm_url, Reading& reading);
    aio::Co<std::string> follow(web::Url file_url, Reading& reading);
    void fail(OriginRobots& entry, Duration lifetime, TimePoint now);
    void make_room();

    http::Client& client_;
    RobotsOptions options_;
    std::list<OriginRobotsPtr> entries_;  // The most recently used first.
    std::unordered_map<std::string_view, std::list<OriginRobotsPtr>::iterator, SecretHash>
        by_origin_;
    std::size_t bytes_ = 0;
};

}  // namespace weft::crawl
