// Cases that want the machine's own sockets: resets, half-closes, full windows, floods at the speed
// of memory.
#include "hostile/loopback.h"

#include <algorithm>
#include <limits>

#include <gtest/gtest.h>

namespace weft::hostile {
namespace {

const std::string kOk = "HTTP/1.1 200 OK\r\n";
const std::string kUrl = "http://127.0.0.1:0/";

LoopbackEnding fetch_looped(Script script, Fetch fetch = {.url = kUrl}) {
    return run_on_loopback({.scripts = {std::move(script)}, .fetches = {std::move(fetch)}});
}

}  // namespace

TEST(HostileLoopback, H01AResetIsAReset) {
    expect_failure(fetch_looped({await_request()}).endings[0], "reset");
    const Script half{await_request(),
                      send(kOk + "Content-Length: 100000\r\n\r\n" + std::string(50'000, 'x'))};
    expect_failure(fetch_looped(half).endings[0], "reset");
}

TEST(HostileLoopback, H04AHalfClosedServerCostsNoProcessorTime) {
    struct Row {
        Script script;
        std::string_view failure;
    };
    Fetch fetch{.url = kUrl};
    fetch.client.limits.first_byte_timeout = 300ms;
    fetch.client.limits.idle_timeout = 300ms;
    const Row rows[] = {
        {{fin(), read_request(), sleep(1h)}, "closed_early"},
        {{send(kOk + "Content-Length: 5\r\n\r\n"), fin(), read_request(), sleep(1h)}, "truncated"},
        {{read_request(), send(kOk + "Content-Length: 5\r\n\r\n"), sleep(1h)}, "idle_timeout"},
        {{read_request(), sleep(1h)}, "first_byte_timeout"},
    };
    for (const Row& row : rows) {
        const LoopbackEnding ended = fetch_looped(row.script, fetch);

        expect_failure(ended.endings[0], row.failure);
        EXPECT_LE(ended.cpu_time, 100ms) << row.failure;  // A spin would take all of the wait.
    }
}

TEST(HostileLoopback, H05AFullWindowEndsBySendTimeout) {
    Fetch fetch{.url = kUrl, .method = "POST", .body = std::string(32_MiB, 'x')};
    fetch.client.limits.idle_timeout = 200ms;

    const LoopbackEnding ended = fetch_looped({sleep(1h)}, fetch);

    expect_failure(ended.endings[0], "send_timeout",
                   {.heap_bytes_max = 80_MiB, .resident_bytes_max = 120_MiB});
    EXPECT_LE(ended.cpu_time, 200ms);
}

TEST(HostileLoopback, H10APoisonedConnectionIsDropped) {
    const Script poison{read_request(),
                        send(kOk + "Content-Length: 1\r\n\r\nxHTTP/1.1 200 OK\r\n"
                                   "Content-Length: 6\r\n\r\npoison"),
                        sleep(1h)};
    const Script clean{read_request(), send(kOk + "Content-Length: 5\r\n\r\nclean")};

    const LoopbackEnding ended = run_on_loopback(
        {.scripts = {poison, clean}, .fetches = {Fetch{.url = kUrl}, Fetch{.url = kUrl}}});

    EXPECT_EQ(ended.endings[0].content, "x");
    EXPECT_EQ(ended.endings[1].content, "clean");
    EXPECT_EQ(ended.connection_count, 2u);
}

// In units that do not depend on the machine: how much of a flood passes between two pages. A busy
// kernel delivers late what is small and alone, so the best of a few runs counts.
TEST(HostileLoopback, H24TheCanaryGetsItsTurnsBesideAFlood) {
    const std::string chunk = "10000\r\n" + std::string(64_KiB, 'x') + "\r\n";
    const Script flood{read_request(), send(kOk + "Transfer-Encoding: chunked\r\n\r\n"),
                       loop(chunk)};
    Fetch fetch{.url = kUrl};
    fetch.client.limits.content_bytes_max = 64_MiB;

    std::uint64_t flood_bytes_a_page = std::numeric_limits<std::uint64_t>::max();
    for (int run = 0; run < 8 && flood_bytes_a_page > 4_MiB; ++run) {
        const LoopbackEnding ended =
            run_on_loopback({.scripts = {flood}, .fetches = {fetch}, .has_canary = true});

        const Ending& ending = ended.endings[0];
        EXPECT_EQ(ending.response.cut, http::Cut::length);
        EXPECT_LE(ending.heap_bytes, 2_MiB);
        ASSERT_GE(ending.canary_count, 4u);
        flood_bytes_a_page =
            std::min(flood_bytes_a_page, ending.response.wire_bytes / ending.canary_count);
    }

    EXPECT_LE(flood_bytes_a_page, 4_MiB);
}

}  // namespace weft::hostile
