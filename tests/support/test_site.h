#pragma once

#include <algorithm>
#include <map>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/net/network.h"
#include "aio/net/stream.h"
#include "aio/task/co.h"
#include "aio/task/co_function.h"
#include "aio/task/sleep.h"
#include "http/server/server.h"
#include "web/url/url.h"

namespace weft::tests {

// A site written as a table of path and answer, served on loopback by the test's own loop.
class TestSite {
public:
    // Sent byte for byte; then the connection is closed.
    struct Raw {
        std::string bytes;
    };

    // Reads the request and says nothing, or the bytes one by one with a pause between.
    struct Drip {
        std::string bytes;
        Duration pause;
    };

    TestSite()
        : listener_(aio::EventLoop::running().network().listen({aio::IpAddress::loopback(), 0})),
          port_(listener_->local().port) {}

    void page(std::string path, std::string html) {
        replies_[std::move(path)] = {.headers = {{"Content-Type", "text/html"}},
                                     .body = std::move(html)};
    }
    void reply(std::string path, http::Reply reply) {
        replies_[std::move(path)] = std::move(reply);
    }
    void raw(std::string path, std::string bytes) { raws_[std::move(path)] = {std::move(bytes)}; }
    void drip(std::string path, Drip drip) { drips_[std::move(path)] = std::move(drip); }

    std::string origin() const { return fmt::format("http://127.0.0.1:{}", port_); }
    web::Url url(std::string_view path) const {
        return web::Url::parse(origin() + std::string(path)).value();
    }

    // Answers by hand.
    using Handler = aio::CoFunction<aio::Co<>(const http::ServerRequest&, http::Responder&)>;
    void handle(std::string path, Handler handler) {
        handlers_[std::move(path)] = std::move(handler);
    }

    // Targets in the order in which they were asked for.
    const std::vector<std::string>& requests() const { return requests_; }

    // The last request as it came.
    const http::ServerRequest& last() const { return last_; }
    std::size_t count(const std::string& target) const {
        return static_cast<std::size_t>(std::ranges::count(requests_, target));
    }
    std::size_t in_flight_max() const { return in_flight_max_; }

    // Until cancelled.
    aio::Co<> serve() {
        co_await http::serve(
            std::move(listener_),
            [this](const http::ServerRequest& request, http::Responder& responder) -> aio::Co<> {
                co_await answer(request, responder);
            });
    }

    Duration delay{};  // Before every answer.

private:
    aio::Co<> answer(const http::ServerRequest& request, http::Responder& responder) {
        requests_.push_back(request.target);
        last_ = request;
        in_flight_max_ = std::max(in_flight_max_, ++in_flight_);
        if (delay > Duration::zero()) co_await aio::sleep(delay);
        --in_flight_;
        if (const auto own = handlers_.find(request.target); own != handlers_.end()) {
            co_await own->second(request, responder);
        } else if (const auto raw = raws_.find(request.target); raw != raws_.end()) {
            co_await responder.stream().write(raw->second.bytes);
        } else if (const auto drip = drips_.find(request.target); drip != drips_.end()) {
            aio::Stream& stream = responder.stream();
            for (const char byte : drip->second.bytes) {
                co_await stream.write(std::string_view(&byte, 1));
                co_await aio::sleep(drip->second.pause);
            }
        } else if (const auto found = replies_.find(request.target); found != replies_.end()) {
            co_await responder.reply(found->second);
        } else {
            co_await responder.reply({.status = 404, .body = "nothing here\n"});
        }
    }

    std::unique_ptr<aio::Listener> listener_;
    std::uint16_t port_;
    std::map<std::string, http::Reply> replies_;
    std::map<std::string, Raw> raws_;
    std::map<std::string, Drip> drips_;
    std::map<std::string, Handler> handlers_;
    std::vector<std::string> requests_;
    http::ServerRequest last_;
    std::size_t in_flight_ = 0;
    std::size_t in_flight_max_ = 0;
};

}  // namespace weft::tests
