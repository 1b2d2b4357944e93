// Floods on a real socket, as fast as another thread can send: deadlines hold inside them, and
// other connections go on.
#include <atomic>
#include <future>
#include <thread>

#include <gtest/gtest.h>

#include "aio/loop/run.h"
#include "aio/net/server.h"
#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "http/h2/h2_connection.h"
#include "support/h2_frames.h"

namespace weft::http {
namespace {

using aio::Co;
namespace h2 = tests::h2;

// A server in a thread of its own that, once asked, says `first` and then `again` for ever.
class Flooder {
public:
    Flooder(std::string first, std::string again) {
        std::promise<std::uint16_t> port;
        std::future<std::uint16_t> ready = port.get_future();
        thread_ = std::jthread(
            [this, &port, first, again] { aio::run(serve(first, again, port, stopped_)); });
        port_ = ready.get();
    }
    ~Flooder() { stopped_ = true; }

    std::uint16_t port() const { return port_; }

private:
    static Co<> serve(std::string first, std::string again, std::promise<std::uint16_t>& port,
                      std::atomic<bool>& stopped) {
        auto listener = aio::EventLoop::running().network().listen({aio::IpAddress::loopback(), 0});
        port.set_value(listener->local().port);
        std::unique_ptr<aio::Transport> transport = co_await listener->accept();
        aio::Stream stream(std::move(transport));
        try {
            co_await stream.fill();
            co_await stream.write(first);
            while (!stopped) co_await stream.write(again);
        } catch (const aio::IoError&) {
            // The client has had enough.
        }
    }

    std::atomic<bool> stopped_ = false;
    std::uint16_t port_ = 0;
    std::jthread thread_;
};

struct FloodEnding {
    std::string_view failure;
    Duration took{};
    int ticks = 0;  // What another task got done meanwhile.
};

Co<> tick(int& ticks) {
    for (;;) {
        co_await aio::sleep(5ms);
        ++ticks;
    }
}

Co<std::string_view> ask(std::uint16_t port, FetchLimits limits, H2Limits h2_limits) {
    aio::Stream stream = co_await aio::connect({aio::IpAddress::loopback(), port});
    H2Connection connection(std::move(stream), h2_limits);
    const Request request{.url = web::Url::parse("http://127.0.0.1/").value()};
    Headers headers;
    headers.add("Host", "127.0.0.1");
    FetchClock clock("127.0.0.1", limits.total_timeout);
    ResponseSink sink;
    Response response;
    Conversation conversation{.request = request,
                              .target = "/",
                              .headers = headers,
                              .limits = limits,
                              .clock = clock,
                              .sink = sink,
                              .response = response};
    const std::unique_ptr<H2Exchange> exchange = connection.open();
    try {
        co_await exchange->start(conversation);
        for (;;) {
            const std::string_view piece = co_await exchange->read(conversation);
            if (piece.empty()) co_return "";
        }
    } catch (const FetchError& error) {
        co_return name(error.failure());
    }
}

FloodEnding fetch_from(const Flooder& flooder, FetchLimits limits, H2Limits h2_limits = {}) {
    return aio::run(
        [](std::uint16_t port, FetchLimits limited, H2Limits bounded) -> Co<FloodEnding> {
            FloodEnding ending;
            const aio::EventLoop& loop = aio::EventLoop::running();
            const TimePoint start = loop.time();
            co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
                group.create_task(tick(ending.ticks));
                ending.failure = co_await ask(port, limited, bounded);
                ending.took = loop.time() - start;
                group.cancel();
            });
            co_return ending;
        }(flooder.port(), limits, h2_limits));
}

const std::string kFloodHead = h2::greeting() + h2::head(1, {{":status", "200"}});
const std::string kEmptyData = h2::times(10'000, h2::content(1, ""));

}  // namespace

TEST(H2Flood, H49EmptyDataIsCutOffAtOnce) {
    const Flooder flooder(kFloodHead, kEmptyData);

    const FloodEnding ending = fetch_from(flooder, {.idle_timeout = 30s});

    EXPECT_EQ(ending.failure, "bad_response");
    EXPECT_LT(ending.took, 10s);
}

TEST(H2Flood, H49TheDeadlineHoldsInsideAFloodOfEmptyData) {
    const Flooder flooder(kFloodHead, kEmptyData);

    const FloodEnding ending =
        fetch_from(flooder, {.total_timeout = 1s}, {.control_frame_count_max = SIZE_MAX});

    EXPECT_EQ(ending.failure, "total_timeout");
    EXPECT_GE(ending.took, 1s);
    EXPECT_LT(ending.took, 2s);
    EXPECT_GT(ending.ticks, 5) << "other tasks run meanwhile";
}

TEST(H2Flood, H49EmptyDataIsNoSignOfLife) {
    const Flooder flooder(kFloodHead, kEmptyData);

    const FloodEnding ending =
        fetch_from(flooder, {.idle_timeout = 500ms}, {.control_frame_count_max = SIZE_MAX});

    EXPECT_EQ(ending.failure, "idle_timeout");
    EXPECT_LT(ending.took, 2s);
}

}  // namespace weft::http
