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
    bool internal_only = false;      // Links that leave the scope are nobody's business.
    bool fragments = false;          // A link to "#part" of a page in scope needs that part.
    std::vector<int> accepted = {};  // Statuses from 400 up that are fine all the same.

    // What may be held of links and their fates: the check ends when that is used up, and says so.
    std::size_t bytes_max = SIZE_MAX;

    // Told of each URL that was asked for. Of one out of the scope: its URL, status, failure and
    // time.
    OutcomeHandler on_outcome = {};
};

// The failure of a link that the check ended before.
inline constexpr std::string_view kNotReached = "not_reached";

// What became of one target of links.
struct CheckedLink {
    std::string url;  // As pages name it; with its fragment where that is what is missing.
    LinkFate fate;
    std::vector<LinkSource> sources;  // Pages that point to it, at most LinkBook::kSourcesMax; of a
                                      // link that is fine none is named.
    std::uint64_t source_count = 0;   // How many there are; 0 for a seed.
    bool is_external = false;         // Out of scope: asked for once, not read.
};

// Follows the links of a site and says which of them lead nowhere.
//
// What is in scope is crawled as ever: robots.txt, politeness, budgets. What is not is asked for
// once, HEAD or GET, one request at a time for each host, with the same pauses; so are links
// beyond --depth, and those of pages that ask not to follow them. Targets that --exclude names are
// left alone wherever they are. On one loop; used once.
class LinkCheck {
public:
    // `config` outlives the check. Sets what it needs of it: no archive, text and anchors read.
    LinkCheck(Config& config, LinkCheckOptions options);

    // Returns when all links are followed, or after stop().
    aio::Co<> run();

    // Starts no more requests.
    void stop();

    Crawler& crawler() { return crawler_; }

    // Links out of the scope that wait to be asked for.
    std::size_t waiting_count() const { return waiting_count_; }

    // HTML pages that were read for links: no pictures, styles or listings.
    std::uint64_t page_count() const { return page_count_; }

    // Every target that was found, in no order and one at a time: there can be very many. After
    // run().
    void each_result(const std::function<void(CheckedLink)>& take) const;

private:
    struct HostLine {
        std::deque<web::Url> urls;
        bool is_served = false;  // A task asks for them, one by one.
    };

    // Which fragments a page has; `is_whole`: all of them.
    struct Anchors {
        std::vector<std::uint64_t> prints;
        bool is_whole = true;
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
    aio::Semaphore places_;
    aio::TaskGroup* group_ = nullptr;
    std::vector<aio::Handle> endings_;  // What ends it soon, however long a fetch takes.
    bool is_stopped_ = false;
    bool is_full_ = false;  // No more can be written down.

    LinkBook book_;
    std::unordered_map<std::string, LinkFate> fates_;         // By key.
    std::unordered_map<std::string, std::string> redirects_;  // In scope: from key to URL.
    std::unordered_set<std::string> external_;                // Keys that were put in a line,
    std::unordered_set<std::string> left_alone_;              // or that are nobody's business.
    std::unordered_map<std::string, std::string> bad_;        // No URLs at all, and why.
    std::unordered_map<std::string, Anchors> anchors_;        // By key.
    std::size_t bytes_ = 0;                                   // Of all but the book, about.
    std::unordered_map<std::string, HostLine> lines_;
    std::size_t waiting_count_ = 0;
    std::uint64_t page_count_ = 0;
};

}  // namespace weft::crawl
