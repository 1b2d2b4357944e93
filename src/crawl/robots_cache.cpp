#include "crawl/robots_cache.h"

#include <fmt/format.h>

#include "aio/loop.h"
#include "aio/shield.h"
#include "base/limits.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr Duration kLifetime = 24h;
constexpr Duration kFailureLifetime = 60s;

// Only the start of a robots.txt counts; the rest is not even kept.
class RobotsSink final : public http::ResponseSink {
public:
    void on_start() override { text.clear(); }
    void on_content(std::string_view piece) override {
        text += piece.substr(
            0, limits::kRobotsBytesMax - std::min(limits::kRobotsBytesMax, text.size()));
    }
    std::string text;
};

}  // namespace

Co<std::shared_ptr<const web::Robots>> RobotsCache::get(const web::Url& url) {
    const std::string origin = url.origin();
    const TimePoint now = aio::EventLoop::running().time();
    auto found = entries_.find(origin);
    const auto is_stale = [&](const Entry& entry) {
        if (!entry.fetching.done()) return false;
        if (entry.expires == TimePoint::max()) return false;
        return entry.expires <= now;
    };
    if (found == entries_.end() || is_stale(found->second)) {
        web::Url robots_url = url.resolve("/robots.txt").value();
        aio::Task<Rules> task =
            aio::create_task(fetch(std::move(robots_url)), "robots of " + origin);
        found = entries_.insert_or_assign(origin, Entry{task, TimePoint::max()}).first;
        task.add_done_callback([this, origin, task] {
            const bool is_good = !task.cancelled() && !task.exception();
            entries_.at(origin).expires =
                aio::EventLoop::running().time() + (is_good ? kLifetime : kFailureLifetime);
        });
    }
    const aio::Task<Rules> task = found->second.fetching;
    co_return co_await aio::shield(task);
}

Co<RobotsCache::Rules> RobotsCache::fetch(web::Url robots_url) {
    const std::string asked = robots_url.href();
    for (int hop = 0; hop <= limits::kRobotsRedirectCountMax; ++hop) {
        RobotsSink sink;
        const http::Response response = co_await client_.fetch({.url = robots_url}, sink);
        if (response.status >= 500 || response.status == 429) {
            throw RobotsUnavailable(fmt::format("{} answered {}", asked, response.status));
        }
        const std::optional<std::string_view> location = response.headers.get("Location");
        if (!response.is_redirect() || !location) {
            const bool has_rules = response.status >= 200 && response.status < 300;
            co_return std::make_shared<web::Robots>(
                web::Robots::parse(has_rules ? std::string_view(sink.text) : ""));
        }
        auto next = robots_url.resolve(*location, web::kBoundedUrl);
        if (!next || !next->is_http()) break;
        robots_url = *std::move(next);
    }
    co_return std::make_shared<web::Robots>(web::Robots::parse(""));
}

}  // namespace weft::crawl
