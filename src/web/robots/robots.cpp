#include "web/robots/robots.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstring>
#include <iterator>
#include <memory>
#include <span>
#include <utility>

#include "base/bytes.h"
#include "web/robots/robots_pattern.h"

namespace weft::web {
namespace {

// Only this many bytes of an agent's name are compared. It bounds a buffer on the stack.
constexpr std::size_t kAgentBytesMax = 128;

std::uint64_t load_head(std::string_view text) {
    std::array<char, 8> bytes{};
    std::memcpy(bytes.data(), text.data(), std::min<std::size_t>(text.size(), 8));
    return std::bit_cast<std::uint64_t>(bytes);
}

}  // namespace

// A path with the values that the filters of rules are compared with.
struct Robots::Path {
    std::string_view text;
    std::uint64_t head = load_head(text);
    std::uint64_t neighbours = neighbours_in_path(text);
};

RobotsDecision Robots::decide(std::string_view agent, std::string_view path_and_query) const {
    if (path_and_query.empty()) path_and_query = "/";
    std::string buffer;
    const Path path{normalize_path(path_and_query, buffer)};
    // RFC 9309 section 2.2.2: /robots.txt itself is always allowed.
    if (path.text == "/robots.txt") return {};

    const Rule* best = nullptr;
    const auto [first, last] = mentions_of(agent);
    for (const Mention* mention = first; mention != last; ++mention) {
        if (mention->has_group) best = better_of(best, best_in(groups_[mention->index], path));
    }
    if (best == nullptr) return {};
    return {best->allow, std::string_view(text_).substr(best->written, best->written_length),
            best->line};
}

std::string_view Robots::group_for(std::string_view agent) const {
    const auto [first, last] = mentions_of(agent);
    return first == last ? std::string_view() : std::string_view(first->agent);
}

// RFC 9309 section 2.2.2: the longest match wins, and Allow wins if both are equally long.
const Robots::Rule* Robots::better_of(const Rule* a, const Rule* b) {
    if (a == nullptr || b == nullptr) return a == nullptr ? b : a;
    return std::pair(b->priority, b->allow) > std::pair(a->priority, a->allow) ? b : a;
}

// At most two runs can match: the run with key 0 and the run of the path's second character (the
// first one is always "/").
const Robots::Rule* Robots::best_in(const Group& group, const Path& path) const {
    const std::span runs =
        std::span(runs_).subspan(group.first_run, group.last_run - group.first_run);
    const Rule* best = nullptr;
    if (!runs.empty() && runs.front().key == '\0') best = first_match(runs.front(), path);
    if (path.text.size() < 2) return best;
    const auto own = std::ranges::lower_bound(runs, path.text[1], {}, &Run::key);
    if (own == runs.end() || own->key != path.text[1]) return best;
    return better_of(best, first_match(*own, path));
}

const Robots::Rule* Robots::first_match(const Run& run, const Path& path) const {
    for (std::uint32_t i = run.first; i < run.last; ++i) {
        const Filter& filter = filters_[i];
        const std::uint64_t miss =
            ((path.head & filter.head_mask) ^ filter.head) | (filter.neighbours & ~path.neighbours);
        if (miss != 0) [[likely]]
            continue;
        const Rule& rule = rules_[i];
        const std::string_view text = text_;
        if (matches(text.substr(rule.pattern, rule.pattern_length), path.text)) return &rule;
    }
    return nullptr;
}

std::pair<const Robots::Mention*, const Robots::Mention*> Robots::mentions_of(
    std::string_view agent) const {
    // Lowered on the stack: this runs for every URL.
    agent = trim(agent);
    agent = agent.substr(0, agent.find_first_of("/ \t"));
    std::array<char, kAgentBytesMax> lower;
    if (agent.size() > lower.size()) agent = agent.substr(0, lower.size());
    std::ranges::transform(agent, lower.begin(), [](char c) { return to_lower(c); });

    const auto find = [&](std::string_view name) {
        const auto found = std::ranges::equal_range(
            mentions_, name, {}, [](const Mention& m) -> std::string_view { return m.agent; });
        return std::pair(std::to_address(found.begin()), std::to_address(found.end()));
    };
    const auto own = find({lower.data(), agent.size()});
    return own.first != own.second ? own : find("*");
}

std::optional<Duration> Robots::crawl_delay(std::string_view agent) const {
    std::optional<Duration> longest;
    const auto [first, last] = mentions_of(agent);
    for (const Mention* mention = first; mention != last; ++mention) {
        if (!mention->has_settings) continue;
        longest = std::max(longest, settings_[mention->index].crawl_delay);
    }
    return longest;
}

template <class T>
std::optional<T> Robots::first_setting(std::string_view agent,
                                       std::optional<T> Settings::* member) const {
    const auto [first, last] = mentions_of(agent);
    for (const Mention* mention = first; mention != last; ++mention) {
        if (!mention->has_settings) continue;
        if (const auto& value = settings_[mention->index].*member) return value;
    }
    return std::nullopt;
}

std::optional<RequestRate> Robots::request_rate(std::string_view agent) const {
    return first_setting(agent, &Settings::request_rate);
}

std::optional<VisitTime> Robots::visit_time(std::string_view agent) const {
    return first_setting(agent, &Settings::visit_time);
}

std::vector<UsagePreference> Robots::usage_preferences(std::string_view agent) const {
    std::vector<UsagePreference> out = common_preferences_;
    const auto [first, last] = mentions_of(agent);
    for (const Mention* mention = first; mention != last; ++mention) {
        if (!mention->has_settings) continue;
        std::ranges::copy(settings_[mention->index].preferences, std::back_inserter(out));
    }
    return out;
}

bool is_product_token(std::string_view agent) {
    return !agent.empty() &&
           std::ranges::all_of(agent, [](char c) { return is_alpha(c) || c == '-' || c == '_'; });
}

// As GetPathParamsQuery() of Google's parser: parameters (";") and the query count as path.
std::string robots_path(std::string_view url) {
    url = url.substr(0, url.find('#'));
    const std::size_t authority = url.starts_with("//") ? 2 : 0;
    const std::size_t scheme_end = url.find("://", authority);
    const bool has_scheme = scheme_end < url.find_first_of("/?;", authority);
    const std::size_t path = url.find_first_of("/?;", has_scheme ? scheme_end + 3 : authority);
    if (path == std::string_view::npos) return "/";
    std::string out(url.substr(path));
    if (out.front() != '/') out.insert(out.begin(), '/');
    return out;
}

std::size_t Robots::memory_bytes() const {
    std::size_t bytes =
        text_.capacity() + rules_.capacity() * sizeof(Rule) + filters_.capacity() * sizeof(Filter) +
        runs_.capacity() * sizeof(Run) + groups_.capacity() * sizeof(Group) +
        settings_.capacity() * sizeof(Settings) + mentions_.capacity() * sizeof(Mention);
    for (const Mention& mention : mentions_) bytes += mention.agent.capacity();
    for (const std::string& sitemap : sitemaps_) bytes += sizeof sitemap + sitemap.capacity();
    return bytes;
}

}  // namespace weft::web
