#pragma once

#include <cstdint>
#include <deque>
#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "aio/loop/loop.h"
#include "aio/sync/semaphore.h"
#include "aio/task/co.h"
#include "aio/task/task_group.h"
#include "crawl/check/link_book.h"
#include "crawl/check/link_probe.h"
#include "crawl/run/config.h"
#include "crawl/run/crawler.h"
#include "crawl/run/hooks.h"
#include "frontier/shards/memory_frontier.h"

namespace weft::crawl {

struct LinkCheckOptions {
    bool internal_only = false;      // Do not check links that leave the scope.
    bool fragments = false;          // A link to "#part" of a page in scope is broken without it.
    std::vector<int> accepted = {};  // Statuses from 400 up that do not count as broken.

    // The memory for links and their results. When it is used up, the check ends and says so.
    std::size_t bytes_max = SIZE_MAX;

    // Called for each URL that was requested. The outcome of a URL out of the scope has only its
    // URL, status, failure, reason, redirect target and time.
    OutcomeHandler on_outcome = {};
};

// The failure of a link that was not requested before the check ended.
inline constexpr std::string_view kNotReached = "not_reached";

// The result for one target of links.
struct CheckedLink {
    std::string url;  // As the pages name it. With its fragment if that part is checked.
    LinkFate fate;
    std::vector<LinkSource> sources;  // Pages that link to it, at most LinkBook::kSourcesMax; empty
                                      // if the link is fine or was not reached.
    std::uint64_t source_count = 0;   // How many pages link to it; 0 for a seed.
    bool is_external = false;         // Not crawled: requested once, its content not read.
};

// The link checker: follows the links of a site and reports those that are broken.
//
// URLs in the scope are crawled as usual, with robots.txt, politeness and budgets. Others are only
// requested once, by HEAD or GET, one at a time for each host and with the same pauses. The same
// goes for links beyond --depth and for links of pages that say nofollow. URLs that match --exclude
// are never requested. Used on one loop, for one run().
class LinkCheck {
public:
    // `config` outlives the check and is changed: no archive, page details are read, unreachable
    // hosts are given up sooner.
    LinkCheck(Config& config, LinkCheckOptions options);

    // Returns when all links are checked, or some seconds after stop(). If it is cancelled, all
    // requests are cancelled; each_result() then has what is known.
    aio::Co<> run();

    // Starts no more requests. Those under way have a few seconds to end.
    void stop();

    Crawler& crawler() { return crawler_; }

    // Links out of the scope that wait for their request.
    std::size_t waiting_count() const { return waiting_count_; }

    // HTML pages whose links were read: no pictures, styles or listings.
    std::uint64_t page_count() const { return page_count_; }

    // Calls `take` for every target that was found, in no order, one at a time because there may be
    // very many. REQUIRES: run() has ended.
    void each_result(const std::function<void(CheckedLink)>& take) const;

private:
    // The URLs out of the scope that wait at one host.
    struct HostLine {
        std::deque<web::Url> urls;
        bool is_served = false;  // A serve_line() task requests them, one by one.
    };

    // The parts of a page that fragments can name.
    struct Anchors {
        std::vector<std::uint64_t> prints;  // Hashes of their names, sorted.
        bool is_whole = true;               // The page was read to its end.
    };

    static Config& prepare(Config& config);
    void add(std::string_view page, std::string_view target, std::string_view text);
    void note_bytes(std::size_t bytes);
    void stop_for_memory();
    void end_after(Duration time);
    Hooks make_hooks();
    std::string key_of(const web::Url& url) const;
    void note_page(const Page& page);
    void note_html(const Page& page);
    void note_outcome(const Outcome& outcome);
    void note_refusal(const web::Url& url, const Refused& refused);
    void tell_probe(const web::Url& url, const LinkFate& fate, Duration elapsed) const;
    aio::Co<> serve_line(std::string host);
    LinkFate judged(LinkFate fate) const;
    LinkFate fate_of(const web::Url& url, std::string& end_key) const;
    std::optional<CheckedLink> result_of(std::string_view target) const;

    LinkCheckOptions options_;
    Config& config_;
    frontier::MemoryFrontier frontier_;
    Crawler crawler_;
    LinkProbe probe_;
    aio::Semaphore places_;             // Bounds the probes under way.
    aio::TaskGroup* group_ = nullptr;   // While run() runs.
    std::vector<aio::Handle> endings_;  // Timers that cancel the group, however long a fetch takes.
    bool is_stopped_ = false;
    bool is_full_ = false;  // The memory is used up.

    LinkBook book_;
    // The keys below are canonical keys of URLs (key_of()).
    std::unordered_map<std::string, LinkFate> fates_;         // By key.
    std::unordered_map<std::string, std::string> redirects_;  // In scope: from key to target URL.
    std::unordered_set<std::string> external_;                // Keys that were put into a line.
    std::unordered_set<std::string> left_alone_;              // Keys that are not to be checked.
    std::unordered_map<std::string, std::string> bad_;        // Texts that are no URL, and why.
    std::unordered_map<std::string, Anchors> anchors_;        // By key.
    std::size_t bytes_ = 0;  // Estimated memory of everything but the book.
    std::unordered_map<std::string, HostLine> lines_;  // By host.
    std::size_t waiting_count_ = 0;
    std::uint64_t page_count_ = 0;
};

}  // namespace weft::crawl
