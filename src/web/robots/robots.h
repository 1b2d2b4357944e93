#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/clock.h"

namespace weft::web {

// What a robots.txt says of one URL, and where.
struct RobotsDecision {
    bool allowed = true;

    // The path of the rule that decided, as written, and its line, counted from 1; empty and 0 when
    // no rule matched. Valid while the Robots lives and is not moved.
    std::string_view rule;
    std::uint32_t line = 0;
};

// "Visit-time: 0600-0845": when robots are welcome, as times of the day in UTC; an old extension.
struct VisitTime {
    Duration begins{};
    Duration ends{};
};

// "Request-rate: 1/10s 0600-0845", as old.
struct RequestRate {
    std::uint32_t request_count = 0;
    Duration period{};
    std::optional<VisitTime> time;
};

// A line that says what the content may be used for: Content-Signal or Content-Usage.
struct UsagePreference {
    std::string name;  // Lower case.
    std::string value;
    std::uint32_t line = 0;
};

// The rules of one robots.txt (RFC 9309, and Google's parser where the RFC is silent).
//
// Parsing cannot fail: what is not understood is passed over. Groups that name one agent are
// merged; agents are compared without regard to case; an agent that no group names gets the rules
// of `*`. The longest matching rule decides, Allow where two are equally long, and what no rule
// matches is allowed, as is /robots.txt itself.
//
// A rule longer than a line may be (kRobotsLineBytesMax) never opens anything: a Disallow is cut,
// so it forbids more; an Allow is dropped. An HTML page holds no rules and no sitemaps; only its
// Crawl-delay counts, which can but slow us down.
//
// A value: immutable after parse(), so any number of threads may ask it.
class Robots {
public:
    static Robots parse(std::string_view bytes);

    // `agent` is a product token ("weft"); of "weft/1.0 (...)" the part before the slash is taken.
    // `path_and_query` is that of the URL, in any spelling of its escapes; empty means "/".
    RobotsDecision decide(std::string_view agent, std::string_view path_and_query) const;
    bool allows(std::string_view agent, std::string_view path_and_query) const {
        return decide(agent, path_and_query).allowed;
    }

    // Whose group speaks to the agent: its own name in lower case, `*`, or nothing if none does.
    // Lives as the decision's rule.
    std::string_view group_for(std::string_view agent) const;

    // The longest Crawl-delay given to the agent, between nothing and kCrawlDelayMax.
    std::optional<Duration> crawl_delay(std::string_view agent) const;
    std::optional<RequestRate> request_rate(std::string_view agent) const;
    std::optional<VisitTime> visit_time(std::string_view agent) const;

    // What the agent's groups and the lines before any group say, in the order of the file.
    std::vector<UsagePreference> usage_preferences(std::string_view agent) const;

    // As written, possibly relative, each once, in the order of the file.
    const std::vector<std::string>& sitemaps() const { return sitemaps_; }

    // The first "Host:" line in lower case, an old extension; empty when there is none.
    const std::string& preferred_host() const { return preferred_host_; }

    std::size_t rule_count() const { return rules_.size(); }

    // What it holds, as far as that grows with the file.
    std::size_t memory_bytes() const;

private:
    friend class RobotsBuilder;

    // What a path must have to match a rule: a look at 24 bytes spares most of the matching.
    struct Filter {
        std::uint64_t head = 0;       // The first eight bytes before any `*`, zero-filled,
        std::uint64_t head_mask = 0;  // and which of them there are.
        std::uint64_t neighbours = 0;
    };
    struct Rule {
        std::uint32_t pattern = 0;  // Positions and lengths in text_.
        std::uint32_t pattern_length = 0;
        std::uint32_t written = 0;
        std::uint32_t written_length = 0;
        std::uint32_t priority = 0;
        std::uint32_t line = 0;
        std::uint32_t group = 0;
        char key = 0;
        bool allow = false;
    };
    // Rules of one group whose second character is `key` (0: a star comes before it), best first:
    // the first match is the answer of the run.
    struct Run {
        char key = 0;
        std::uint32_t first = 0;
        std::uint32_t last = 0;
    };
    struct Group {
        std::uint32_t first_run = 0;  // By key.
        std::uint32_t last_run = 0;
    };
    // What lines other than rules say to the agents above them.
    struct Settings {
        std::optional<Duration> crawl_delay;
        std::optional<RequestRate> request_rate;
        std::optional<VisitTime> visit_time;
        std::vector<UsagePreference> preferences;
    };
    // An agent's place in the file: a group, or settings.
    struct Mention {
        std::string agent;  // Lower case; `*` for all others.
        bool has_group = false;
        bool has_settings = false;
        std::uint32_t index = 0;
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

// Whether `agent` is a product token as the RFC has it: letters, `-` and `_`. Groups cannot name
// any other agent.
bool is_product_token(std::string_view agent);

// The path and query of a URL that need not be a good one: what decide() wants. "/" when there is
// none.
std::string robots_path(std::string_view url);

}  // namespace weft::web
