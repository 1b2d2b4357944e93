#include <algorithm>
#include <charconv>
#include <cmath>
#include <cstring>
#include <numeric>
#include <tuple>
#include <utility>

#include "base/bytes.h"
#include "base/limits.h"
#include "web/robots/robots.h"
#include "web/robots/robots_line.h"
#include "web/robots/robots_pattern.h"

namespace weft::web {
namespace {

// The name of the agent: the letters, '-' and '_' at the front, so "Foobot/2.1" names foobot. `*`
// counts only alone or before white space.
std::string agent_in(std::string_view value) {
    if (value.starts_with('*') && (value.size() == 1 || value[1] == ' ' || value[1] == '\t')) {
        return "*";
    }
    const auto end =
        std::ranges::find_if_not(value, [](char c) { return is_alpha(c) || c == '-' || c == '_'; });
    return to_lower(value.substr(0, static_cast<std::size_t>(end - value.begin())));
}

// Removes the number at the front of `text` and returns it.
std::optional<double> take_number(std::string_view& text) {
    double number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) number = HUGE_VAL;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

std::optional<Duration> parse_delay(std::string_view value) {
    const std::optional<double> seconds = take_number(value);
    if (!seconds || std::isnan(*seconds) || *seconds < 0) return std::nullopt;
    const double most = in_seconds(limits::kCrawlDelayMax);
    return std::chrono::duration_cast<Duration>(
        std::chrono::duration<double>(std::min(*seconds, most)));
}

std::optional<std::uint32_t> take_whole(std::string_view& text) {
    std::uint32_t number = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
    if (error != std::errc()) return std::nullopt;
    text.remove_prefix(static_cast<std::size_t>(end - text.data()));
    return number;
}

// "0845" means 08:45.
std::optional<Duration> parse_time_of_day(std::string_view text) {
    if (text.size() != 4 || !std::ranges::all_of(text, [](char c) { return is_digit(c); })) {
        return std::nullopt;
    }
    const int hours = (text[0] - '0') * 10 + (text[1] - '0');
    const int minutes = (text[2] - '0') * 10 + (text[3] - '0');
    if (hours > 23 || minutes > 59) return std::nullopt;
    return std::chrono::hours(hours) + std::chrono::minutes(minutes);
}

std::optional<VisitTime> parse_visit_time(std::string_view text) {
    if (text.size() != 9 || text[4] != '-') return std::nullopt;
    const std::optional<Duration> begins = parse_time_of_day(text.substr(0, 4));
    const std::optional<Duration> ends = parse_time_of_day(text.substr(5));
    if (!begins || !ends) return std::nullopt;
    return VisitTime{*begins, *ends};
}

std::optional<RequestRate> parse_rate(std::string_view value) {
    const std::optional<std::uint32_t> count = take_whole(value);
    if (!count || *count == 0 || !value.starts_with('/')) return std::nullopt;
    value.remove_prefix(1);
    const std::optional<std::uint32_t> amount = take_whole(value);
    if (!amount) return std::nullopt;
    std::int64_t unit_seconds = 1;
    switch (value.empty() ? 's' : to_lower(value.front())) {
        case 'm': unit_seconds = 60; break;
        case 'h': unit_seconds = 3'600; break;
        case 'd': unit_seconds = 86'400; break;
        default: break;
    }
    const auto period = std::chrono::seconds(*amount) * unit_seconds;
    RequestRate rate{*count, std::min<std::chrono::seconds>(period, 366 * 24h), std::nullopt};
    const std::size_t space = value.find(' ');
    if (space != std::string_view::npos) rate.time = parse_visit_time(trim(value.substr(space)));
    return rate;
}

// The path of a Disallow rule that was cut. It must not forbid less than the whole rule, so an end
// mark and half an escape at the end are removed.
std::string_view widen_cut_path(std::string_view path) {
    while (path.ends_with('$')) path.remove_suffix(1);
    const std::size_t percent = path.rfind('%');
    if (percent != std::string_view::npos && path.size() - percent < 3) {
        path = path.substr(0, percent);
    }
    return path.empty() ? "/" : path;
}

// Removes repeated texts and keeps the first of each. It sorts, because with a hash table chosen
// texts could make it slow.
void drop_repeats(std::vector<std::string>& texts) {
    std::vector<std::size_t> order(texts.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::ranges::sort(order, {},
                      [&](std::size_t i) { return std::pair(std::string_view(texts[i]), i); });
    std::vector<bool> is_repeat(texts.size());
    for (std::size_t i = 1; i < order.size(); ++i) {
        is_repeat[order[i]] = texts[order[i]] == texts[order[i - 1]];
    }
    std::size_t i = 0;
    std::erase_if(texts, [&](const std::string&) { return is_repeat[i++]; });
}

}  // namespace

// Builds a Robots from lines.
//
// By RFC 9309 only a rule ends the list of agents of a group. Agents with only other lines between
// them share the rules that follow. A Crawl-delay, however, is meant for the agents directly above
// it. So an agent can have two mentions: one for its settings and one for its group.
class RobotsBuilder {
public:
    void add(const RobotsLine& line);
    void forget_rules();
    Robots finish();

private:
    void add_agent(std::string_view value);
    void add_rule(const RobotsLine& line);
    void store_rule(std::string_view path, const RobotsLine& line, std::string_view written);
    Robots::Settings* open_settings();
    void add_preference(const RobotsLine& line);
    void add_sitemap(const RobotsLine& line);
    void index(const Robots::Rule& rule);

    Robots robots_;
    std::vector<std::string> group_agents_;     // The agents of the next rule.
    std::vector<std::string> settings_agents_;  // The agents of the next setting.
    bool is_group_open_ = false;
    bool are_settings_open_ = false;
    bool was_last_an_agent_ = false;
};

Robots Robots::parse(std::string_view bytes) {
    const std::string text = robots_text(bytes);
    RobotsBuilder builder;
    const bool is_page = looks_like_html(text);
    RobotsLines lines(text);
    while (std::optional<RobotsLine> line = lines.next()) {
        // In an HTML page a tag may follow the value on the same line ("Crawl-delay: 5<br>").
        if (is_page) line->value = trim(line->value.substr(0, line->value.find('<')));
        builder.add(*line);
    }
    if (is_page) builder.forget_rules();
    return builder.finish();
}

void RobotsBuilder::add(const RobotsLine& line) {
    switch (line.field) {
        case RobotsField::user_agent: add_agent(line.value); return;
        case RobotsField::sitemap: add_sitemap(line); return;
        case RobotsField::host:
            if (robots_.preferred_host_.empty()) robots_.preferred_host_ = to_lower(line.value);
            return;
        case RobotsField::unknown: return;
        case RobotsField::allow:
        case RobotsField::disallow: add_rule(line); break;
        case RobotsField::crawl_delay:
            if (Robots::Settings* settings = open_settings()) {
                settings->crawl_delay = std::max(settings->crawl_delay, parse_delay(line.value));
            }
            break;
        case RobotsField::request_rate:
            if (Robots::Settings* settings = open_settings()) {
                if (!settings->request_rate) settings->request_rate = parse_rate(line.value);
            }
            break;
        case RobotsField::visit_time:
            if (Robots::Settings* settings = open_settings()) {
                if (!settings->visit_time) settings->visit_time = parse_visit_time(line.value);
            }
            break;
        case RobotsField::content_signal:
        case RobotsField::content_usage: add_preference(line); break;
    }
    was_last_an_agent_ = false;
}

void RobotsBuilder::add_agent(std::string_view value) {
    // A group is open after its first rule: this agent starts the next group.
    if (is_group_open_) group_agents_.clear();
    if (!was_last_an_agent_) settings_agents_.clear();
    is_group_open_ = false;
    are_settings_open_ = false;
    was_last_an_agent_ = true;
    std::string agent = agent_in(value);
    robots_.mentions_.push_back({.agent = agent});
    group_agents_.push_back(agent);
    settings_agents_.push_back(std::move(agent));
}

void RobotsBuilder::add_rule(const RobotsLine& line) {
    if (group_agents_.empty()) return;
    if (!is_group_open_) {
        const auto index = static_cast<std::uint32_t>(robots_.groups_.size());
        robots_.groups_.emplace_back();
        for (const std::string& agent : group_agents_) {
            robots_.mentions_.push_back({.agent = agent, .has_group = true, .index = index});
        }
        is_group_open_ = true;
    }
    if (line.field == RobotsField::allow) {
        if (line.is_cut || line.value.empty()) return;
        store_rule(line.value, line, line.value);
        // As in Google's parser: an Allow for the index page of a directory also allows the
        // directory.
        const std::size_t slash = line.value.rfind('/');
        if (slash != std::string_view::npos && line.value.substr(slash).starts_with("/index.htm")) {
            store_rule(std::string(line.value.substr(0, slash + 1)) + '$', line, line.value);
        }
        return;
    }
    const std::string_view path = line.is_cut ? widen_cut_path(line.value) : line.value;
    if (!path.empty()) store_rule(path, line, line.value);
}

void RobotsBuilder::store_rule(std::string_view path, const RobotsLine& line,
                               std::string_view written) {
    const RobotsPattern pattern = normalize_pattern(path);
    Robots::Rule rule;
    const auto keep = [&](std::string_view text) {
        const auto position = static_cast<std::uint32_t>(robots_.text_.size());
        robots_.text_ += text;
        return position;
    };
    rule.pattern = keep(pattern.text);
    rule.pattern_length = static_cast<std::uint32_t>(pattern.text.size());
    rule.written = pattern.text == written ? rule.pattern : keep(written);
    rule.written_length = static_cast<std::uint32_t>(written.size());
    // A cut Disallow wins over every Allow: its real length is not known.
    rule.priority = line.is_cut ? UINT32_MAX : pattern.length;
    rule.line = line.number;
    rule.allow = line.field == RobotsField::allow;
    rule.group = static_cast<std::uint32_t>(robots_.groups_.size() - 1);
    const std::string_view start = std::string_view(pattern.text).substr(0, 2);
    rule.key = start.size() == 2 && start.find_first_of("*$") == start.npos ? start[1] : '\0';
    robots_.rules_.push_back(rule);
}

Robots::Settings* RobotsBuilder::open_settings() {
    if (settings_agents_.empty()) return nullptr;
    if (!are_settings_open_) {
        const auto index = static_cast<std::uint32_t>(robots_.settings_.size());
        robots_.settings_.emplace_back();
        for (const std::string& agent : settings_agents_) {
            robots_.mentions_.push_back({.agent = agent, .has_settings = true, .index = index});
        }
        are_settings_open_ = true;
    }
    return &robots_.settings_.back();
}

void RobotsBuilder::add_preference(const RobotsLine& line) {
    UsagePreference preference{to_lower(line.name), std::string(line.value), line.number};
    if (Robots::Settings* settings = open_settings()) {
        settings->preferences.push_back(std::move(preference));
    } else {
        robots_.common_preferences_.push_back(std::move(preference));
    }
}

void RobotsBuilder::add_sitemap(const RobotsLine& line) {
    if (line.is_cut || line.value.empty()) return;
    robots_.sitemaps_.emplace_back(line.value);
}

void RobotsBuilder::forget_rules() {
    robots_.rules_.clear();
    robots_.text_.clear();
    robots_.sitemaps_.clear();
}

Robots RobotsBuilder::finish() {
    // The best rule comes first; of equal rules the one that is first in the file.
    std::ranges::sort(robots_.rules_, [](const Robots::Rule& a, const Robots::Rule& b) {
        return std::tuple(a.group, a.key, b.priority, b.allow, a.line) <
               std::tuple(b.group, b.key, a.priority, a.allow, b.line);
    });
    for (const Robots::Rule& rule : robots_.rules_) index(rule);
    std::ranges::sort(robots_.mentions_, {}, [](const Robots::Mention& mention) {
        return std::tuple(std::string_view(mention.agent), mention.has_group, mention.index);
    });
    drop_repeats(robots_.sitemaps_);
    robots_.text_.shrink_to_fit();
    robots_.rules_.shrink_to_fit();
    robots_.filters_.shrink_to_fit();
    robots_.mentions_.shrink_to_fit();
    return std::move(robots_);
}

// Adds the next of the sorted rules to the last run of its group, or to a new run.
void RobotsBuilder::index(const Robots::Rule& rule) {
    const std::string_view text = robots_.text_;
    const std::string_view pattern = text.substr(rule.pattern, rule.pattern_length);
    const std::size_t head =
        std::min<std::size_t>({pattern.find_first_of("*$"), pattern.size(), 8});
    Robots::Filter filter;
    std::memcpy(&filter.head, pattern.data(), head);
    std::memset(&filter.head_mask, 0xFF, head);
    filter.neighbours = neighbours_in_pattern(pattern);
    const auto place = static_cast<std::uint32_t>(robots_.filters_.size());
    robots_.filters_.push_back(filter);

    Robots::Group& group = robots_.groups_[rule.group];
    const auto run_count = static_cast<std::uint32_t>(robots_.runs_.size());
    const bool is_first = group.first_run == group.last_run;
    if (is_first) group.first_run = run_count;
    if (is_first || robots_.runs_.back().key != rule.key) {
        robots_.runs_.push_back({rule.key, place, place});
    }
    robots_.runs_.back().last = place + 1;
    group.last_run = static_cast<std::uint32_t>(robots_.runs_.size());
}

}  // namespace weft::web
