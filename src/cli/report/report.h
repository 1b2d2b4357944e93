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

#include "archive/index/page_entry.h"
#include "archive/index/page_reader.h"
#include "base/clock.h"
#include "cli/report/site_graph.h"

namespace weft::cli {

// What a crawl leaves for its owner to read. It is made from pages.jsonl alone, so it can be made
// again at any time, also while the crawl runs, and is the same whatever interrupted it.
//
// Lists are bounded, also in the bytes that they hold; each has its whole count beside it.
struct Report {
    struct Broken {
        std::string url;
        int status = 0;  // 0: no answer.
        std::string failure;
        std::string reason;
        std::vector<std::string> referrers;  // Pages that link to it, the first found first.
        std::uint64_t referrer_count = 0;    // Of those that are known: see Report::Referrers.
    };

    // What referrer counts tell. Only a crawl with --links lists the links of its pages.
    enum class Referrers {
        first,  // Nothing but the page that each link was first found on.
        some,   // There are at least so many: of some pages not all links are listed.
        all,    // There are so many.
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
        std::uint64_t count = 0;        // Of the URLs with this one content.
        std::vector<std::string> urls;  // The first of them.
    };
    struct Denied {
        std::string url;
        std::string reason;
    };

    std::string output;  // The crawl's folder; empty if it is not kept.
    std::uint64_t seed_count = 0;
    std::vector<std::string> seeds;  // The first of them.
    WallTime started{};
    Duration elapsed{};

    std::uint64_t outcome_count = 0;
    std::uint64_t fetched_count = 0;
    std::uint64_t redirect_count = 0;
    std::uint64_t denied_count = 0;
    std::uint64_t skipped_count = 0;  // A budget was spent, or it was a trap.
    std::uint64_t failed_count = 0;
    std::uint64_t retry_count = 0;
    std::uint64_t waiting_count = 0;     // Known and not reached.
    archive::DamagedLines damaged;       // Of the page log: in no other number.
    std::uint64_t cut_count = 0;         // Pages of which a part was not taken, or not read.
    std::uint64_t not_stored_count = 0;  // Links to hosts that have as many URLs as they may.
    std::uint64_t content_bytes = 0;
    std::uint64_t unchanged_count = 0;  // Not sent again (304): the content is an earlier crawl's.
    std::uint64_t unchanged_bytes = 0;  // In content_bytes too.
    std::uint64_t html_count = 0;
    std::uint64_t html_bytes = 0;

    // Whether any seed, or where its redirects led, gave an answer that lets us in; if none did,
    // how each failed: a class of failures, or "401".
    bool has_reached_seed = false;
    std::map<std::string, std::string> seed_failures;  // With a reason, for people.

    std::map<int, std::uint64_t> by_status;
    std::map<std::string, std::uint64_t> by_type;
    std::map<std::string, std::uint64_t> by_failure;
    std::map<std::string, std::uint64_t> by_skip;     // Not asked for: by the budget or the trap.
    std::map<std::string, std::uint64_t> by_refusal;  // Links not wanted, by rule.
    std::map<std::uint32_t, std::uint64_t> by_depth;  // Of what was fetched.

    // How long answers took: kTimeBounds[i] is the end of the i-th part, the last has none.
    static constexpr std::array kTimeBounds = {Duration(10ms),  Duration(30ms), Duration(100ms),
                                               Duration(300ms), Duration(1s),   Duration(3s),
                                               Duration(10s)};
    std::array<std::uint64_t, kTimeBounds.size() + 1> by_time{};

    std::uint64_t broken_count = 0;
    std::vector<Broken> broken;  // By URL.
    Referrers referrers = Referrers::first;
    std::vector<Redirect> redirects;
    std::vector<Page> slowest;  // The slowest first.
    std::vector<Page> largest;
    std::uint64_t duplicate_count = 0;  // Pages whose content another page had before.
    std::vector<Duplicates> duplicates;
    std::vector<Denied> denied;
    SiteGraph graph;  // Of a small site; else it has no nodes.
};

// Counts by the names of rules, under what people read in their place (crawl/scope/refusal.h).
std::map<std::string, std::uint64_t> by_phrase(const std::map<std::string, std::uint64_t>& by_rule);

// Makes a report of the lines of pages.jsonl, in two passes where links were kept: the second finds
// the pages that point to what the first found broken.
class ReportBuilder {
public:
    static constexpr std::size_t kBrokenMax = 100'000;
    static constexpr std::size_t kReferrersMax = 100;
    static constexpr std::size_t kListMax = 1'000;
    static constexpr std::size_t kTopMax = 20;
    static constexpr std::size_t kSeedsMax = 20;
    static constexpr std::size_t kTypesMax = 1'000;  // Servers name them as they like.
    static constexpr std::size_t kDepthsMax = 1'000;
    static constexpr std::size_t kContentsMax = 1'000'000;  // Those that come later stand alone.

    // Links that differ only in session ids lead to one page, unless the crawl keeps these.
    // `memory_bytes` is what the crawl may hold: the lists take a sixth of it at most (H70).
    ReportBuilder(bool keeps_session_ids, std::uint64_t memory_bytes)
        : keeps_session_ids_(keeps_session_ids),
          broken_room_(memory_bytes / 8),
          redirect_room_(memory_bytes / 64),
          denied_room_(memory_bytes / 64),
          duplicate_room_(memory_bytes / 64),
          content_room_(memory_bytes / 4) {}

    void add(const archive::PageEntry& entry);

    // Whether a second pass would find anything: some page has its links kept, some is broken.
    bool wants_links() const {
        return has_links_ && (!broken_index_.empty() || graph_.wants_links());
    }
    void add_links(const archive::PageEntry& entry);

    // A crawl lasts from its begin, where that is known, to the end of its last fetch.
    Report finish(std::optional<WallTime> begun = std::nullopt);

private:
    // What a list may still take. Once something finds no place nothing does: a list holds the
    // first.
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

    void note_fetched(const archive::PageEntry& entry);
    void note_broken(const archive::PageEntry& entry);
    void note_top(std::vector<Report::Page>& top, const archive::PageEntry& entry, bool by_size);
    void note_duplicate(const archive::PageEntry& entry);
    void note_seed(const archive::PageEntry& entry);
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
    bool has_unlisted_links_ = false;  // On some page: its list is missing, or cut.
    std::unordered_map<std::string, std::size_t> broken_index_;  // By key.
    struct Seen {
        std::string first_url;
        std::size_t group = 0;  // One more than its place in the list; 0: no list.
        std::uint64_t count = 0;
    };
    std::unordered_map<std::uint64_t, Seen> contents_;  // By hash.
    SiteGraphBuilder graph_;
};

// The forms of a report. Text from outside is escaped for each.
std::string to_text(const Report& report);
std::string to_json(const Report& report);
std::string to_csv(const Report& report);  // The broken links, a line each.
std::string to_markdown(const Report& report);
std::string to_html(const Report& report);  // One file, nothing fetched.

}  // namespace weft::cli
