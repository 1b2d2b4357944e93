#pragma once

#include <future>
#include <thread>

#include "aio/loop/run.h"
#include "aio/net/server.h"
#include "aio/sync/event.h"

namespace weft::tests {

// A server with a loop and a thread of its own, for clients that block.
class BackgroundServer {
public:
    explicit BackgroundServer(aio::Co<> (*handler)(aio::Stream)) {
        std::promise<aio::Endpoint> listening;
        std::future<aio::Endpoint> place = listening.get_future();
        thread_ = std::thread([this, handler, &listening] {
            aio::run(serve(handler, listening), {.interruptible = false});
        });
        endpoint_ = place.get();
    }
    ~BackgroundServer() {
        loop_->call_soon_threadsafe([this] { over_.set(); });
        thread_.join();
    }
    BackgroundServer(const BackgroundServer&) = delete;
    BackgroundServer& operator=(const BackgroundServer&) = delete;

    aio::Endpoint local() const { return endpoint_; }

private:
    aio::Co<> serve(aio::Co<> (*handler)(aio::Stream), std::promise<aio::Endpoint>& listening) {
        loop_ = &aio::get_running_loop();
        const aio::Server server = aio::start_server(handler, {aio::IpAddress::loopback(), 0});
        listening.set_value(server.local());
        co_await over_.wait();
    }

    aio::EventLoop* loop_ = nullptr;
    aio::Event over_;  // For the loop's thread.
    aio::Endpoint endpoint_;
    std::thread thread_;
};

}  // namespace weft::tests
