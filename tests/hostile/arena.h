#pragma once

#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <ostream>
#include <string>
#include <vector>

#include "aio/simulated/simulation.h"
#include "base/units.h"
#include "crawl/run/config.h"
#include "crawl/visit/outcome.h"
#include "hostile/script.h"
#include "http/client/client.h"

namespace weft::hostile {

inline constexpr std::size_t kCanaryPageCount = 100;

// What a case asks of the client.
struct Fetch {
    std::string url = "http://evil.test/";
    std::string method = "GET";
    http::Headers headers = {};
    std::string body = {};
    bool follow = false;  // Redirects, with http::get().
    http::ClientOptions client = {};
};

// What came of a case.
struct Ending {
    std::string failure;  // The class; empty when an answer came.
    std::string what;
    http::Response response;
    std::string content;
    Duration took{};
    std::size_t heap_bytes = 0;       // The most beyond what was there at the start,
    std::size_t resident_bytes = 0;   // and of the whole process.
    std::size_t canary_count = 0;     // Pages of the canary host that came whole meanwhile,
    double canary_rate = 0;           // and at how much of the rate it has alone.
    std::size_t late_call_count = 0;  // Calls of the sink after the fetch had ended.
};

// A case in virtual time: hostile machines beside a canary host whose pages are fetched by the same
// client meanwhile. Every case gets an arena of its own.
class Arena {
public:
    Arena();

    aio::SimulatedNetwork& network() { return loop_.network(); }

    // From now on that machine plays these scripts: each connection the next one, the last again
    // and again.
    ScriptedServer& serve(const std::string& host, std::uint16_t port, std::vector<Script> scripts);
    ScriptedServer& serve(Script script) { return serve("evil.test", 80, {std::move(script)}); }

    // The endings in order, one fetch after the other, `pause` between two, all by one client.
    std::vector<Ending> fetch_all(std::vector<Fetch> fetches, Duration pause = {});
    Ending fetch(Fetch fetch = {});

    // The outcomes of a crawl, in the order of their ends. robots.txt is not asked for.
    std::vector<crawl::Outcome> crawl(crawl::Config config);

    // All servers at once, until cancelled: for cases that bring their own client.
    aio::Co<> serve_all();

    Duration now() const { return loop_.now(); }
    aio::SimulatedLoop& loop() { return loop_; }

private:
    aio::Co<std::vector<Ending>> run(std::vector<Fetch> fetches, Duration pause);
    aio::Co<std::vector<crawl::Outcome>> run_crawl(crawl::Config config);

    aio::SimulatedLoop loop_;
    std::vector<std::unique_ptr<ScriptedServer>> servers_;
};

// One fetch, beside which a canary host's pages are fetched one after the other where `canary`
// names one.
struct Canary {
    std::string url = {};
    double solo_rate = 0;  // Pages a second; 0: not known.
};
aio::Co<Ending> run_fetch(http::Client& client, Fetch fetch, Canary canary);

// Pages a second of a canary host alone.
aio::Co<double> measure_canary(http::Client& client, Canary canary);

// Serves the canary's page until cancelled.
aio::Co<> serve_canary(std::unique_ptr<aio::Listener> listener);

// What must hold of every case: E2 to E5 of the five assertions (E1 is the sanitizers' build).
struct Bounds {
    Duration deadline = 1s;  // E2: the fetch ends within this and a second.
    std::size_t heap_bytes_max = 2_MiB;
    std::size_t resident_bytes_max = 32_MiB;
};
void expect_failure(const Ending& ending, std::string_view failure, const Bounds& bounds = {});
void expect_answer(const Ending& ending, int status, const Bounds& bounds = {});

// One case per answer: each is sent to a fetch of its own, then the connection closes. Every answer
// is also sent byte by byte, and must end in the same way.
struct AnswerRow {
    std::string_view answer;
    std::string_view failure;  // Empty: an answer came,
    std::string_view content = {};
};
void expect_answers(const std::vector<AnswerRow>& rows, const Fetch& fetch = {});

}  // namespace weft::hostile
