#pragma once

#include <optional>
#include <vector>

#include "aio/co.h"
#include "archive/warc_writer.h"
#include "crawl/config.h"
#include "crawl/outcome.h"
#include "crawl/robots_cache.h"
#include "frontier/frontier.h"
#include "http/client.h"
#include "web/url.h"

namespace weft::crawl {

// robots.txt says no.
class RobotsDenied : public Error {
public:
    using Error::Error;
};

// What a visit brought home.
struct VisitResult {
    Outcome outcome;
    std::vector<web::Url> links;  // Not yet judged by the scope; of a redirect its target.
    std::optional<Duration> crawl_delay;
    std::optional<Duration> retry_after;  // The server asks to be left alone that long.
    bool may_pass = false;                // Another try may end better.
};

// The way of one URL to its outcome: robots.txt, fetch, archive, links.
class Visitor {
public:
    // `writer` may be null: nothing is archived.
    Visitor(const Config& config, archive::WarcWriter* writer);

    // Reads from top to bottom as steps 8 to 11 of a URL's life. Throws RobotsDenied,
    // RobotsUnavailable, FetchError, IoError (of the archive).
    aio::Co<VisitResult> visit(frontier::Visit visit);

private:
    aio::Co<std::optional<Duration>> ask_robots(const web::Url& url);
    aio::Co<archive::Position> archive(const web::Url& url, const http::Response& response,
                                       class PageSink& sink, WallTime date);

    const Config& config_;
    archive::WarcWriter* writer_;
    http::Client client_;
    RobotsCache robots_;
};

}  // namespace weft::crawl
