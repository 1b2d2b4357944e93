#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "aio/simulated/simulation.h"
#include "aio/task/co.h"
#include "base/random.h"
#include "crawl/run/config.h"
#include "http/server/server.h"

namespace weft::crawl {

// A small web made from a seed, served on a simulated network with faults from the same seed, and
// the truth about it. What a crawler must never do is checked as each request comes in.
//
// Every fault passes within ten minutes, so a crawl that tries long enough finds everything.
class SimulatedWeb {
public:
    SimulatedWeb(aio::SimulatedLoop& loop, std::uint64_t seed);

    // The crawl that suits it: seeds, patience, limits.
    Config config() const;

    // Until cancelled.
    aio::Co<> serve();

    // Every URL that a crawl from the seed finds, without those that robots.txt keeps out.
    const std::set<std::string>& reachable() const { return reachable_; }
    const std::set<std::string>& denied() const { return denied_; }

    // What went wrong, if anything; empty: nothing.
    const std::vector<std::string>& violations() const { return violations_; }
    std::size_t request_count() const { return request_count_; }

private:
    struct Page {
        int status = 200;
        std::string location;
        std::vector<std::string> links;   // As written.
        std::vector<std::string> images;  // As written.
        bool is_listed_only = false;      // Only the sitemap knows it.
        std::string type = "text/html; charset=utf-8";

        // Faults of the first requests.
        unsigned busy_count = 0;     // 503 with Retry-After,
        unsigned broken_count = 0;   // then cut in the middle,
        unsigned stalled_count = 0;  // then silence.
    };
    struct Site {
        std::string name;
        std::string machine;  // Sites may share one.
        std::map<std::string, Page> pages;
        bool has_robots = false;
        unsigned robots_failures = 0;  // Answers of 500 before the first good one.
        std::size_t in_flight = 0;
        Duration last_answer = -1h;
        std::string last_path;
    };

    void make_site(std::size_t index);
    void link_sites();
    void make_faults();
    void find_truth();
    void visit_truth(const std::string& url);
    std::string other_page(const Site& from);

    aio::Co<> answer(const http::ServerRequest& request, http::Responder& responder);
    aio::Co<> answer_page(Site& site, Page& page, http::Responder& responder);
    http::Reply robots_of(Site& site);
    http::Reply sitemap_of(const Site& site) const;
    std::string html_of(const Page& page) const;
    void complain(std::string what);

    aio::SimulatedLoop& loop_;
    Random random_;
    std::vector<Site> sites_;
    std::map<std::string, std::size_t> machine_in_flight_;
    std::map<std::string, Duration> cut_at_;  // When a machine's connections were reset.
    Config limits_;
    std::set<std::string> reachable_;
    std::set<std::string> denied_;
    std::vector<std::string> violations_;
    std::size_t request_count_ = 0;
};

}  // namespace weft::crawl
