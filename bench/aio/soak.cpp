#include <cstdlib>
#include <string_view>

#include "aio/loop/run.h"
#include "aio/net/server.h"
#include "aio/sync/timeout.h"
#include "aio/task/errors.h"
#include "aio/task/frame_pool.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "base/random.h"
#include "bench/figure.h"
#include "bench/process.h"

// A long day: clients that ask, hang up, lose patience and are cancelled at any moment, on
// descriptors whose numbers come back at once, against a server that at times says nothing or
// breaks off. Every answer must be the one that was asked for, and at the end nothing is left.
//
// --soak SECONDS, or WEFT_SOAK_SECONDS; else 20.
namespace weft::bench {
namespace {

using aio::Co;
using aio::Stream;

constexpr std::size_t kWorkers = 64;
constexpr std::size_t kLineMax = 64 * 1024;

// Answers each line with itself, repeated; now and then it closes instead, or waits.
Co<> echo(Stream stream) {
    Random& random = aio::get_running_loop().random();
    for (;;) {
        const std::string line = co_await stream.readline(kLineMax);
        if (line.empty()) co_return;
        const auto mood = random.below(100);
        if (mood < 3) co_return;
        if (mood < 6) co_await aio::sleep(std::chrono::microseconds(random.below(2'000)));
        co_await stream.write(line);
        if (mood < 9) co_return;
        co_await stream.write(line);
    }
}

Co<> serve() {
    aio::Server server = aio::start_server(
        [](Stream stream) -> Co<> {
            try {
                co_await echo(std::move(stream));
            } catch (const aio::IoError&) {  // A client hung up: that is its part.
            }
        },
        {aio::IpAddress::loopback(), 0});
    fmt::print("{}\n", server.local().port);
    std::fflush(stdout);
    co_await server.serve_forever();
}

struct Soak {
    aio::Endpoint endpoint;
    TimePoint end;
    std::size_t answers = 0;
    std::size_t refusals = 0;  // Hang-ups, timeouts, cancellations: asked for.
    std::size_t errors = 0;    // Wrong answers and everything else.
    std::size_t number = 0;

    // A few questions on one connection; the answers must match.
    Co<> converse() {
        Random& random = aio::get_running_loop().random();
        Stream stream = co_await aio::connect(endpoint);
        for (auto left = random.below(6) + 1; left > 0; --left) {
            std::string question = fmt::format("{}:", ++number);
            question.append(random.below(20) == 0 ? 30'000 : 20, 'x');
            question += '\n';
            co_await stream.write(question);
            for (int i = 0; i < 2; ++i) {
                const std::string answer = co_await stream.readline(kLineMax);
                if (!answer.ends_with('\n')) co_return;  // It broke off.
                if (answer != question) ++errors;
            }
            ++answers;
        }
    }

    Co<> try_once() {
        Random& random = aio::get_running_loop().random();
        const auto patience = std::chrono::microseconds(random.below(3'000));
        try {
            switch (random.below(4)) {
                case 0: co_await aio::wait_for(converse(), patience); break;
                case 1: co_await cancel_after(patience); break;
                default: co_await converse();
            }
        } catch (const aio::IoError&) {
            ++refusals;
        } catch (const aio::TimeoutError&) {
            ++refusals;
        } catch (const std::exception& error) {
            fmt::print(stderr, "soak: {}\n", error.what());
            ++errors;
        }
    }

    Co<> cancel_after(Duration patience) {
        aio::Task<> task = aio::create_task(converse());
        co_await aio::sleep(patience);
        task.cancel();
        while (!task.done()) co_await aio::sleep(0s);
        if (task.cancelled()) {
            ++refusals;
        } else {
            co_await task;
        }
    }

    Co<> work() {
        while (aio::get_running_loop().time() < end) co_await try_once();
    }

    Co<> run_until(TimePoint moment) {
        end = moment;
        std::vector<Co<>> workers;
        for (std::size_t i = 0; i < kWorkers; ++i) workers.push_back(work());
        co_await aio::gather(std::move(workers));
    }
};

struct Left {
    double resident_bytes = process_memory().resident_bytes;
    double descriptors = static_cast<double>(open_descriptor_count());
    double frames = static_cast<double>(aio::frame_pool::live_count());
};

// The first quarter warms up; what grows after it grows for ever.
Co<> run_soak(Soak& soak, Duration length) {
    const TimePoint start = aio::get_running_loop().time();
    co_await soak.run_until(start + length / 4);
    const Left before;
    co_await soak.run_until(start + length);
    const Left after;
    const std::string name = fmt::format(
        "soak of {} s", std::chrono::duration_cast<std::chrono::seconds>(length).count());
    figure(name + ": answers", static_cast<double>(soak.answers), "count");
    figure(name + ": cancelled, timed out, broken off", static_cast<double>(soak.refusals),
           "count");
    figure(name + ": errors", static_cast<double>(soak.errors), "count", "<=0");
    figure(name + ": descriptors left", after.descriptors - before.descriptors, "count", "<=0");
    figure(name + ": frames left", after.frames - before.frames, "count", "<=0");
    figure(name + ": growth of resident memory",
           (after.resident_bytes - before.resident_bytes) / 1e6, "MB", "<=2");
}

}  // namespace
}  // namespace weft::bench

int main(int argc, char** argv) {
    using namespace weft;
    using namespace weft::bench;
    const char* seconds = std::getenv("WEFT_SOAK_SECONDS");
    if (argc == 3 && std::string_view(argv[1]) == "--soak") seconds = argv[2];
    Child server([] { aio::run(serve()); });
    const auto port = static_cast<std::uint16_t>(number_at(server.read_line()));
    Soak soak{.endpoint = {aio::IpAddress::loopback(), port}};
    aio::run(
        run_soak(soak, std::chrono::seconds(seconds ? static_cast<int>(number_at(seconds)) : 20)));
}
