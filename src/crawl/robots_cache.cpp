#include "crawl/robots_cache.h"

#include <fmt/format.h>

#include "aio/loop.h"
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
    const aio::EventLoop& loop = aio::EventLoop::running();
    std::shared_ptr<Entry>& place = entries_[url.origin()];
    if (!place) place = std::make_shared<Entry>();
    const std::shared_ptr<Entry> entry = place;
    const aio::Lock::Guard guard = co_await entry->lock.acquire();
    if (entry->expires <= loop.time()) {
        entry->error = nullptr;
        try {
            entry->rules = co_await fetch(url.resolve("/robots.txt").value());
        } catch (const Error&) {
            entry->error = std::current_exception();
        }
        entry->expires = loop.time() + (entry->error ? kFailureLifetime : kLifetime);
    }
    if (entry->error) std::rethrow_exception(entry->error);
    co_return entry->rules;
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
