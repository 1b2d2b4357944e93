#include "crawl/visit.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/loop.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "crawl/links.h"
#include "crawl/page_sink.h"
#include "web/date.h"

namespace weft::crawl {

using aio::Co;

namespace {

http::ClientOptions client_options(const Config& config) {
    http::ClientOptions options;
    options.user_agent = config.user_agent;
    options.limits = config.limits;
    options.addresses = config.addresses;
    options.ca_file = config.ca_file;
    // The crawl's own limits are narrower; robots.txt may come beside a page.
    options.pool.connections_max = std::max(options.pool.connections_max, 2 * config.concurrency);
    options.pool.per_host_max = std::max(options.pool.per_host_max, 2 * config.max_per_host);
    return options;
}

Outcome start_outcome(const frontier::Visit& visit) {
    Outcome outcome;
    outcome.url = visit.candidate.url;
    outcome.referrer = visit.candidate.referrer;
    outcome.depth = visit.candidate.depth;
    outcome.attempt_count = visit.attempt;
    return outcome;
}

// Where the answer leads; notes in the outcome why it leads nowhere.
std::optional<web::Url> redirect_target(const web::Url& url, const http::Response& response,
                                        std::uint32_t redirects_left, Outcome& outcome) {
    const std::optional<std::string_view> location = response.headers.get("Location");
    if (!location || trim(*location).empty()) {
        outcome.reason = "redirect without Location";
        return std::nullopt;
    }
    const auto target = url.resolve(*location, web::kBoundedUrl);
    if (!target) {
        outcome.reason =
            fmt::format("redirect to '{}': {}", escape_for_terminal(utf8_prefix(*location, 200)),
                        describe(target.error()));
        return std::nullopt;
    }
    outcome.redirect_target = target->href();
    if (redirects_left == 0) {
        outcome.reason = "redirect limit reached";
        return std::nullopt;
    }
    return target->without_fragment();
}

std::vector<std::string> protocols_of(const http::Response& response) {
    std::vector<std::string> protocols{response.protocol};
    if (response.tls_protocol.starts_with("TLSv")) {
        protocols.push_back(fmt::format("tls/{}", response.tls_protocol.substr(4)));
    }
    return protocols;
}

}  // namespace

Visitor::Visitor(const Config& config, archive::WarcWriter* writer)
    : config_(config), writer_(writer), client_(client_options(config)), robots_(client_) {}

Co<VisitResult> Visitor::visit(frontier::Visit visit) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const web::Url url = web::Url::parse(visit.candidate.url).value();
    VisitResult result{.outcome = start_outcome(visit)};
    Outcome& outcome = result.outcome;
    outcome.date = loop.wall_time();
    result.crawl_delay = co_await ask_robots(url);

    PageSink sink(writer_ != nullptr);
    const http::Response response = co_await client_.fetch({.url = url}, sink);
    outcome.status = response.status;
    outcome.elapsed = response.timings.total;
    outcome.content_type = sink.content_type();
    outcome.content_bytes = response.content_bytes;
    outcome.is_truncated = response.cut != http::Cut::none;
    if (const auto header = response.headers.get("Retry-After")) {
        result.retry_after = web::parse_retry_after(*header, loop.wall_time());
    }
    result.may_pass = response.status == 429 || response.status == 503;
    if (writer_) outcome.archived = co_await archive(url, response, sink, outcome.date);

    outcome.ending = response.is_redirect() ? Ending::redirect : Ending::fetched;
    if (response.is_redirect()) {
        const std::uint32_t redirects_left = visit.candidate.redirects_left;
        if (auto target = redirect_target(url, response, redirects_left, outcome)) {
            result.links.push_back(*std::move(target));
        }
    } else if (const std::optional<web::HtmlPage> page = sink.finish()) {
        outcome.title = page->title.value_or("");
        if (response.status == 200) result.links = links_of(*page, url, sink.encoding());
    }
    co_return result;
}

Co<std::optional<Duration>> Visitor::ask_robots(const web::Url& url) {
    if (!config_.obey_robots) co_return std::nullopt;
    const std::shared_ptr<const web::Robots> robots = co_await robots_.get(url);
    const web::RobotsDecision decision = robots->decide(config_.user_agent, url.path_and_query());
    if (!decision.allowed) {
        throw RobotsDenied(fmt::format("robots.txt line {}: Disallow: {}", decision.line,
                                       escape_for_terminal(decision.rule)));
    }
    co_return robots->crawl_delay(config_.user_agent);
}

Co<archive::Position> Visitor::archive(const web::Url& url, const http::Response& response,
                                       PageSink& sink, WallTime date) {
    archive::Capture capture;
    capture.target_uri = url.href();
    capture.date = date;
    capture.ip_address = response.peer.address.to_string();
    capture.protocols = protocols_of(response);
    capture.cipher_suite = response.tls_cipher;
    capture.request = sink.take_request();
    capture.response = sink.take_wire();
    capture.response_begin = response.wire_head_begin;
    capture.response_body = response.wire_head_end;
    if (response.cut == http::Cut::length) capture.truncated = archive::Truncated::length;
    co_return co_await writer_->write(std::move(capture));
}

}  // namespace weft::crawl
