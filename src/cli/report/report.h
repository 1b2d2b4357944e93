#pragma once

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <string_view>
#include <unordered_map>
#include <utility>
#include <vector>

#include "archive/index/outcome.h"
#include "archive/index/page_reader.h"
#include "base/clock.h"
#include "cli/report/site_graph.h"

namespace weft::cli {

// The report of a crawl. It is made from pages.jsonl alone. So it can be made at any time, even
// while the crawl runs, and interruptions of the crawl do not change it.
//
// All lists are bounded, in their number and in their bytes. Next to each list is its full count.
struct Report {
    struct Broken {
        std::string url;
        int status = 0;  // 0: no response.
        std::string failure;
        std::string reason;
        std::vector<std::string> referrers;  // Pages that link to it, in the order of finding.
        std::uint64_t referrer_count = 0;    // Of the known ones: see Report::Referrers.
    };

    // How complete the referrer counts are. Only a crawl with --links lists the links of its pages.
    enum class Referrers {
        first,  // Only the page on which each link was first found is known.
        some,   // The counts are lower bounds: some pages do not list all links.
        all,    // The counts are exact.
    };
    struct Page {
        std::string url;
        int status = 0;
        std::string content_type;
        std::uint64_t content_bytes = 0;
        Duration elapsed{};
    };
    struct Redirect {
        std::string url;
        int status = 0;
        std::string target;
    };
    struct Duplicates {
        std::uint64_t count = 0;        // The number of URLs with this content.
        std::vector<std::string> urls;  // The first of them.
    };
    struct Denied {
        std::string url;
        std::string reason;
    };

    std::string output;  // The crawl's folder; empty if there is none.
    std::uint64_t seed_count = 0;
    std::vector<std::string> seeds;  // The first of them.
    WallTime started{};
    Duration elapsed{};

    std::uint64_t outcome_count = 0;
    std::uint64_t fetched_count = 0;
    std::uint64_t redirect_count = 0;
    std::uint64_t denied_count = 0;
    std::uint64_t skipped_count = 0;  // Because of a budget or a trap.
    std::uint64_t failed_count = 0;
    std::uint64_t retry_count = 0;
    std::uint64_t waiting_count = 0;     // Found, but not fetched yet.
    archive::DamagedLines damaged;       // Of the page log. No other number includes them.
    std::uint64_t cut_count = 0;         // Pages that were not received or not parsed to their end.
    std::uint64_t not_stored_count = 0;  // Links to hosts that already have all URLs they may have.
    std::uint64_t content_bytes = 0;
    std::uint64_t unchanged_count = 0;  // 304 responses: the content is that of an earlier crawl.
    std::uint64_t unchanged_bytes = 0;  // Included in content_bytes.
    std::uint64_t html_count = 0;
    std::uint64_t html_bytes = 0;

    // Whether any seed, or the target of its redirects, gave a response that grants access. If not,
    // `seed_failures` says how each failed: a class of failures, or "401".
    bool has_reached_seed = false;
    std::map<std::string, std::string> seed_failures;  // With a reason, for people.

    std::map<int, std::uint64_t> by_status;
    std::map<std::string, std::uint64_t> by_type;
    std::map<std::string, std::uint64_t> by_failure;
    std::map<std::string, std::uint64_t> by_skip;     // Not requested, by budget or trap.
    std::map<std::string, std::uint64_t> by_refusal;  // Links that were refused, by rule.
    std::map<std::uint32_t, std::uint64_t> by_depth;  // Only fetched URLs.

    // How long responses took. kTimeBounds[i] is the upper bound of by_time[i]; the last part has
    // none.
    static constexpr std::array kTimeBounds = {Duration(10ms),  Duration(30ms), Duration(100ms),
                                               Duration(300ms), Duration(1s),   Duration(3s),
                                               Duration(10s)};
    std::array<std::uint64_t, kTimeBounds.size() + 1> by_time{};

    std::uint64_t broken_count = 0;
    std::vector<Broken> broken;  // Ordered by URL.
    Referrers referrers = Referrers::first;
    std::vector<Redirect> redirects;
    std::vector<Page> slowest;  // The slowest first.
    std::vector<Page> largest;
    std::uint64_t duplicate_count = 0;  // Pages whose content an earlier page had.
    std::vector<Duplicates> duplicates;
    std::vector<Denied> denied;
    SiteGraph graph;  // Of a small site; otherwise it has no nodes.
};

// The counts with the names of rules replaced by phrases for people (crawl/scope/refusal.h).
std::map<std::string, std::uint64_t> by_phrase(const std::map<std::string, std::uint64_t>& by_rule);

// Makes a report from the lines of pages.jsonl. If links were kept, there are two passes: the
// second finds the pages that link to the URLs that the first found broken.
class ReportBuilder {
public:
    static constexpr std::size_t kBrokenMax = 100'000;
    static constexpr std::size_t kReferrersMax = 100;
    static constexpr std::size_t kListMax = 1'000;
    static constexpr std::size_t kTopMax = 20;
    static constexpr std::size_t kSeedsMax = 20;
    static constexpr std::size_t kTypesMax = 1'000;  // Servers invent their own.
    static constexpr std::size_t kDepthsMax = 1'000;
    static constexpr std::size_t kContentsMax = 1'000'000;  // Later contents are not compared.

    // Unless `keeps_session_ids`, links that differ only in session ids lead to one page.
    // `memory_bytes` is what the crawl may use (H70): the lists use about a sixth of it, the index
    // of contents at most a quarter.
    ReportBuilder(bool keeps_session_ids, std::uint64_t memory_bytes)
        : keeps_session_ids_(keeps_session_ids),
          broken_room_(memory_bytes / 8),
          redirect_room_(memory_bytes / 64),
          denied_room_(memory_bytes / 64),
          duplicate_room_(memory_bytes / 64),
          content_room_(memory_bytes / 4) {}

    void add(const archive::Outcome& entry);

    // Whether a second pass would find anything: links were kept, and a page is broken or there is
    // a graph to draw.
    bool wants_links() const {
        return has_links_ && (!broken_index_.empty() || graph_.wants_links());
    }
    void add_links(const archive::Outcome& entry);

    // The crawl lasts from `begun`, if that is known, to the end of its last fetch.
    Report finish(std::optional<WallTime> begun = std::nullopt);

private:
    // The bytes that a list may still take. Once an item does not fit, no later item does, so that
    // a list always holds the first items.
    class Room {
    public:
        explicit Room(std::uint64_t bytes) : left_(bytes) {}
        bool take(std::uint64_t bytes) {
            const bool has_room = bytes <= left_;
            left_ = has_room ? left_ - bytes : 0;
            return has_room;
        }

    private:
        std::uint64_t left_;
    };

    void note_fetched(const archive::Outcome& entry);
    void note_broken(const archive::Outcome& entry);
    void note_top(std::vector<Report::Page>& top, const archive::Outcome& entry, bool by_size);
    void note_duplicate(const archive::Outcome& entry);
    void note_seed(const archive::Outcome& entry);
    void note_referrer(Report::Broken& broken, const std::string& page);
    std::string key_of(const std::string& url) const;

    bool keeps_session_ids_;
    Room broken_room_;
    Room redirect_room_;
    Room denied_room_;
    Room duplicate_room_;
    Room content_room_;
    Report report_;
    WallTime last_{};
    bool has_links_ = false;
    bool has_unlisted_links_ = false;  // The list of links of some page is missing or cut.
    std::unordered_map<std::string, std::size_t> broken_index_;  // By key.
    struct Seen {
        std::string first_url;
        std::size_t group = 0;  // Its index in the list plus one; 0: not in the list.
        std::uint64_t count = 0;
    };
    std::unordered_map<std::uint64_t, Seen> contents_;  // By hash.
    SiteGraphBuilder graph_;
};

// The output formats of a report. Text from outside is escaped for each format.
std::string to_text(const Report& report);
std::string to_json(const Report& report);
std::string to_csv(const Report& report);  // The broken links, one per line.
std::string to_markdown(const Report& report);
std::string to_html(const Report& report);  // One file that loads nothing else.

}  // namespace weft::cli
