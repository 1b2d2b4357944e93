#include "crawl/check/link_probe.h"

#include <algorithm>

#include "aio/loop/loop.h"
#include "aio/task/sleep.h"
#include "crawl/politeness/politeness.h"
#include "crawl/visit/client_options.h"
#include "http/client/failure.h"
#include "http/client/get.h"
#include "web/fields/date.h"

namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::uint64_t kContentBytesMax = 64_KiB;  // The content is not used.
constexpr Duration kTotalTimeout = 30s;
constexpr Duration kRetryAfterMax = 30s;  // A link is not worth a longer wait.
constexpr Duration kAgainMax = 10s;       // The longest pause of our own after a 429 or 503.

// The longest pause after a failed connection. It is short because a build may wait for the result,
// and a host that refuses connections does so only for a moment or for long.
constexpr Duration kReconnectMax = 2s;

http::Client make_client(const Config& config) {
    auto options = client_options(config);
    options.limits.content_bytes_max = kContentBytesMax;
    options.limits.wire_bytes_max = kContentBytesMax;
    options.limits.total_timeout = std::min(options.limits.total_timeout, kTotalTimeout);
    return http::Client(std::move(options));
}

// Drops the content.
class Nothing final : public http::ResponseSink {};

}  // namespace

LinkFate::State LinkFate::judge(int status) {
    if (status == 429) return LinkFate::State::unverified;
    return status >= 400 ? LinkFate::State::broken : LinkFate::State::fine;
}

struct LinkProbe::Try {
    LinkFate fate;
    Trouble trouble = Trouble::none;      // Why another try may succeed.
    std::optional<Duration> retry_after;  // When the server wants it.
};

LinkProbe::LinkProbe(const Config& config) : config_(config), client_(make_client(config)) {}

Co<LinkFate> LinkProbe::ask(web::Url url) {
    for (std::uint32_t attempt = 1;; ++attempt) {
        Try result = co_await try_once(url);
        const bool is_last = attempt >= config_.try_count_max;
        const Duration asked = result.retry_after.value_or(Duration::zero());
        if (result.trouble == Trouble::none || is_last || asked > kRetryAfterMax) {
            co_return std::move(result.fate);
        }
        const double chance = aio::EventLoop::running().random().unit();
        const Duration most = result.trouble == Trouble::overload ? kAgainMax : kReconnectMax;
        co_await aio::sleep(
            std::max(asked, std::min(retry_pause(result.trouble, attempt, chance), most)));
    }
}

Co<LinkProbe::Try> LinkProbe::try_once(const web::Url& url) {
    Try head = co_await request(url, "HEAD");
    if (head.fate.state == LinkFate::State::fine || head.fate.status == 429) co_return head;
    // A host that HEAD does not reach is not reached by GET either.
    const bool was_reached = head.fate.status != 0 || head.trouble == Trouble::exchange ||
                             head.fate.failure == http::name(http::Failure::bad_response);
    if (!was_reached) co_return head;
    Try get = co_await request(url, "GET");
    co_return get;
}

Co<LinkProbe::Try> LinkProbe::request(web::Url url, std::string method) {
    Try result;
    LinkFate& fate = result.fate;
    try {
        Nothing nothing;
        const std::string asked = url.href();
        http::FollowOptions options;
        options.redirect_count_max = static_cast<int>(config_.redirect_count_max);
        http::Request request{.url = std::move(url), .method = std::move(method)};
        request.headers = config_.headers_for(request.url);
        const http::Followed followed =
            co_await http::follow(client_, std::move(request), nothing, options);
        const http::Response& response = followed.response;
        fate.status = response.status;
        fate.state = LinkFate::judge(response.status);
        if (followed.url.href() != asked) fate.end_url = followed.url.href();
        if (response.status == 429 || response.status == 503) {
            result.trouble = Trouble::overload;
            if (const auto header = response.headers.get("Retry-After")) {
                result.retry_after =
                    web::parse_retry_after(*header, aio::EventLoop::running().wall_time());
            }
        }
    } catch (const http::FetchError& error) {
        fate.state = LinkFate::State::broken;
        if (error.failure() == http::Failure::address_denied ||
            error.failure() == http::Failure::no_resources) {
            fate.state = LinkFate::State::unverified;
        }
        fate.failure = http::name(error.failure());
        fate.reason = error.what();
        if (http::is_transient(error.failure())) result.trouble = trouble_of(error.failure());
    }
    co_return result;
}

}  // namespace weft::crawl
