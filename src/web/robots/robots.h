#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace weft::web {

// What a robots.txt says about one URL, and on which line.
struct RobotsDecision {
    bool allowed = true;

    // The path of the rule that decided, as written, and its line, counted from 1. Empty and 0 if
    // no rule matched. The view is valid until the Robots is moved or destroyed.
    std::string_view rule;
    std::uint32_t line = 0;
};

// "Visit-time: 0600-0845": the time of the day, in UTC, when robots may visit. An old extension.
struct VisitTime {
    Duration begins{};
    Duration ends{};
};

// "Request-rate: 1/10s 0600-0845": one request in ten seconds, at that time of the day. An old
// extension.
struct RequestRate {
    std::uint32_t request_count = 0;
    Duration period{};
    std::optional<VisitTime> time;
};

// A line about the allowed use of the content: Content-Signal or Content-Usage.
struct UsagePreference {
    std::string name;  // Lower case.
    std::string value;
    std::uint32_t line = 0;
};

// The rules of one robots.txt (RFC 9309, and Google's parser where the RFC is silent).
//
// Parsing cannot fail: unknown lines are ignored. Groups that name the same agent are merged, and
// agents are compared without case. An agent without a group of its own gets the rules of `*`. The
// longest matching rule decides; if two are equally long, Allow wins. A path that no rule matches
// is allowed, and /robots.txt is always allowed.
//
// A rule that is longer than kRobotsLineBytesMax never allows more than it says: a Disallow is cut,
// so it forbids more; an Allow is dropped. An HTML page has no rules and no sitemaps. Only its
// Crawl-delay is used, because that can only slow the crawl down.
//
// It is a value that does not change after parse(), so many threads may use it at once.
class Robots {
public:
    static Robots parse(std::string_view bytes);

    // `agent` is a product token ("weft"); of "weft/1.0 (...)" only the part before the slash is
    // used. `path_and_query` is that of the URL, with its escapes in any spelling; empty means "/".
    RobotsDecision decide(std::string_view agent, std::string_view path_and_query) const;
    bool allows(std::string_view agent, std::string_view path_and_query) const {
        return decide(agent, path_and_query).allowed;
    }

    // The name of the group that applies to the agent: its own name in lower case, `*`, or empty if
    // no group applies. Valid until the Robots is moved or destroyed.
    std::string_view group_for(std::string_view agent) const;

    // The longest Crawl-delay for the agent, between zero and kCrawlDelayMax.
    std::optional<Duration> crawl_delay(std::string_view agent) const;
    std::optional<RequestRate> request_rate(std::string_view agent) const;
    std::optional<VisitTime> visit_time(std::string_view agent) const;

    // The preferences before any group, then those of the agent's groups, in the order of the file.
    std::vector<UsagePreference> usage_preferences(std::string_view agent) const;

    // The sitemap URLs as written, possibly relative, in the order of the file and without repeats.
    const std::vector<std::string>& sitemaps() const { return sitemaps_; }

    // The value of the first "Host:" line in lower case, an old extension. Empty if there is none.
    const std::string& preferred_host() const { return preferred_host_; }

    std::size_t rule_count() const { return rules_.size(); }

    // The memory that grows with the size of the file.
    std::size_t memory_bytes() const;

private:
    friend class RobotsBuilder;

    // What a path must contain to match a rule. Comparing these 24 bytes excludes most rules, so
    // that few patterns have to be matched.
    struct Filter {
        std::uint64_t head = 0;        // The first eight bytes before any `*`, filled with zeros.
        std::uint64_t head_mask = 0;   // 0xFF for each byte of the head that the pattern has.
        std::uint64_t neighbours = 0;  // See neighbours_in_pattern().
    };
    struct Rule {
        std::uint32_t pattern = 0;  // Offsets and lengths in text_.
        std::uint32_t pattern_length = 0;
        std::uint32_t written = 0;
        std::uint32_t written_length = 0;
        std::uint32_t priority = 0;  // The length that RFC 9309 compares; the greatest wins.
        std::uint32_t line = 0;
        std::uint32_t group = 0;
        char key = 0;  // See Run.
        bool allow = false;
    };
    // The rules of one group whose second character is `key`. 0 means that a `*` or `$` is among
    // the first two characters, or that there is only one. The best rule comes first, so the first
    // match is the answer of the run.
    struct Run {
        char key = 0;
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };
    struct Group {
        std::uint32_t first_run = 0;  // The runs of a group are sorted by key.
        std::uint32_t last_run = 0;
    };
    // What lines other than rules say about the agents above them.
    struct Settings {
        std::optional<Duration> crawl_delay;
        std::optional<RequestRate> request_rate;
        std::optional<VisitTime> visit_time;
        std::vector<UsagePreference> preferences;
    };
    // One place of the file that concerns an agent: a group, or settings, or only its name.
    struct Mention {
        std::string agent;  // Lower case; `*` for all other agents.
        bool has_group = false;
        bool has_settings = false;
        std::uint32_t index = 0;  // In groups_ or settings_.
    };

    template <class T>
    std::optional<T> first_setting(std::string_view agent,
                                   std::optional<T> Settings::* member) const;

    struct Path;
    static const Rule* better_of(const Rule* a, const Rule* b);
    const Rule* best_in(const Group& group, const Path& path) const;
    const Rule* first_match(const Run& run, const Path& path) const;
    std::pair<const Mention*, const Mention*> mentions_of(std::string_view agent) const;

    std::string text_;
    std::vector<Rule> rules_;
    std::vector<Filter> filters_;  // One for each rule.
    std::vector<Run> runs_;
    std::vector<Group> groups_;
    std::vector<Settings> settings_;
    std::vector<UsagePreference> common_preferences_;
    std::vector<Mention> mentions_;  // Sorted by agent, then in the order of the file.
    std::vector<std::string> sitemaps_;
    std::string preferred_host_;
};

// Whether `agent` is a product token of RFC 9309: letters, `-` and `_`. A group cannot name any
// other agent.
bool is_product_token(std::string_view agent);

// The path and query of a URL for decide(), also of a URL that is not valid. "/" if there is none.
std::string robots_path(std::string_view url);

}  // namespace weft::web
