#pragma once

#include <exception>
#include <memory>
#include <string>
#include <unordered_map>

#include "aio/co.h"
#include "aio/lock.h"
#include "base/error.h"
#include "http/client.h"
#include "web/robots.h"
#include "web/url.h"

namespace weft::crawl {

// robots.txt could not be had, so nothing of its host may be fetched for now (RFC 9309, 2.3.1.4).
class RobotsUnavailable : public Error {
public:
    using Error::Error;
};

// The robots.txt of each origin, fetched once a day and asked before each fetch.
//
// An answer of 4xx means that there are no rules; 5xx, that the whole origin is closed until it can
// be had; up to five redirects are followed, and the rules bind the origin that was asked. A host
// that cannot be reached at all throws as its pages would. On one loop's thread.
class RobotsCache {
public:
    explicit RobotsCache(http::Client& client) : client_(client) {}

    // The rules for the URL's origin; waits if somebody else is fetching them. Throws
    // RobotsUnavailable, FetchError.
    aio::Co<std::shared_ptr<const web::Robots>> get(const web::Url& url);

private:
    using Rules = std::shared_ptr<const web::Robots>;
    struct Entry {
        aio::Lock lock;  // Held by whoever fetches; the others wait for it.
        Rules rules;
        std::exception_ptr error;
        TimePoint expires = TimePoint::min();
    };

    aio::Co<Rules> fetch(web::Url robots_url);

    http::Client& client_;
    std::unordered_map<std::string, std::shared_ptr<Entry>> entries_;
};

}  // namespace weft::crawl
