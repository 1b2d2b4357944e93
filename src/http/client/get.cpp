#include "http/client/get.h"

#include <set>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "base/escape.h"
#include "http/client/redirect.h"

namespace weft::http {

using aio::Co;

namespace {

// Passes everything on to the inner sink, except for the content of redirects.
class HopSink final : public ResponseSink {
public:
    HopSink(ResponseSink& inner, const web::Url& url) : inner_(inner), url_(url) {}

    void on_start() override {
        leads_on_ = false;
        inner_.on_start();
    }
    void on_request(std::string_view head) override { inner_.on_request(head); }
    void on_wire(std::string_view bytes) override { inner_.on_wire(bytes); }
    void on_head(const Response& response) override {
        const auto target = redirect_target(url_, response);
        // Also for a redirect that may not be followed: its content is not the page either.
        leads_on_ = !target || *target;
        inner_.on_head(response);
    }
    void on_content(std::string_view piece) override {
        if (!leads_on_) inner_.on_content(piece);
    }

private:
    ResponseSink& inner_;
    const web::Url& url_;
    bool leads_on_ = false;
};

[[noreturn]] void fail(const web::Url& url, std::string reason) {
    throw FetchError(Failure::bad_redirect, Phase::head, std::string(url.host()),
                     std::move(reason));
}

// Two requests with the same identity are a loop. Cookies are part of it, because some sites set a
// cookie and redirect back to the same URL.
std::string identity_of(const Client& client, const Request& request) {
    std::string cookies;
    if (const auto& jar = client.options().cookies) {
        cookies = jar->header(request.url, aio::EventLoop::running().wall_time());
    }
    return fmt::format("{} {} {}", request.method, request.url.without_fragment().href(), cookies);
}

}  // namespace

Co<Followed> follow(Client& client, Request request, ResponseSink& sink, FollowOptions options) {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const TimePoint end =
        loop.time() + request.total_timeout.value_or(client.options().limits.total_timeout);
    std::set<std::string> asked{identity_of(client, request)};
    for (int count = 0;; ++count) {
        // Each hop gets what is left of the time.
        request.total_timeout = end - loop.time();
        HopSink hop(sink, request.url);
        Response response;
        co_await client.fetch(request, hop, response);
        auto target = redirect_target(request.url, response);
        if (!target) {
            const std::string_view location = response.headers.get("Location").value_or("");
            fail(request.url, fmt::format("redirect to '{}': {}",
                                          escape_for_terminal(utf8_prefix(location, 200)),
                                          describe(target.error())));
        }
        if (!*target) co_return Followed{std::move(response), std::move(request.url), count};
        if (count == options.redirect_count_max) {
            fail(request.url, fmt::format("more than {} redirects", options.redirect_count_max));
        }
        if (options.on_redirect) options.on_redirect(response, **target);
        redirect_request(request, response.status, **std::move(target), options.fields_go_on);
        if (!asked.insert(identity_of(client, request)).second) {
            fail(request.url, fmt::format("redirects go in circles, back to {}",
                                          escape_for_terminal(request.url.href())));
        }
    }
}

Co<FetchedPage> get(Client& client, web::Url url) {
    ContentBuffer buffer;
    Followed followed = co_await follow(client, {.url = std::move(url)}, buffer);
    co_return FetchedPage{std::move(followed.response), std::move(buffer.content),
                          std::move(followed.url)};
}

}  // namespace weft::http
