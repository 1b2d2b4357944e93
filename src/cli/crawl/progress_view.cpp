#include "cli/crawl/progress_view.h"

#include <algorithm>
#include <map>
#include <nlohmann/json.hpp>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "base/escape.h"
#include "base/units.h"
#include "cli/show/json_text.h"

namespace weft::cli {
namespace {

// The rate is measured over this time.
constexpr Duration kWindow = 10s;
constexpr std::size_t kErrorsShown = 5;
constexpr std::size_t kHostsShown = 3;

// Only ASCII, so that bytes and columns are the same. Host names are ASCII, except those that no
// standard allows.
std::string plain(std::string_view text) {
    std::string out;
    for (const char c : escape_for_terminal(text)) out += c >= ' ' && c < 0x7F ? c : '?';
    return out;
}

std::string cut(std::string text, std::size_t width) {
    if (text.size() <= width) return text;
    text.resize(width);
    for (std::size_t i = 0; i < 2 && i + 3 < width; ++i) text[width - 1 - i] = '.';
    return text;
}

// Puts as many facts on a line as fit.
void flow(std::vector<std::string>& lines, const std::vector<std::string>& facts,
          std::size_t width) {
    std::string line;
    for (const std::string& fact : facts) {
        if (!line.empty() && line.size() + 2 + fact.size() > width) {
            lines.push_back(std::exchange(line, ""));
        }
        line += (line.empty() ? "" : "  ") + cut(fact, width);
    }
    if (!line.empty()) lines.push_back(std::move(line));
}

std::string rate_text(double rate) {
    return rate < 9.95 ? fmt::format("{:.1f}/s", rate) : fmt::format("{:.0f}/s", rate);
}

std::string outlook(const ProgressFacts& facts) {
    if (facts.is_growing) return "growing";
    if (!facts.time_left) return "";
    if (*facts.time_left < 1s) return "nearly done";
    return "ends in " + human_duration(*facts.time_left);
}

// "1:02:07": its width does not change every second.
std::string clock(Duration duration) {
    const auto total = duration / 1s;
    if (total < 3600) return fmt::format("{}:{:02}", total / 60, total % 60);
    return fmt::format("{}:{:02}:{:02}", total / 3600, total / 60 % 60, total % 60);
}

std::string error_text(const ProgressFacts& facts) {
    std::string text;
    for (const auto& [name, count] : facts.errors) {
        text += fmt::format("{}{}x {}", text.empty() ? "errors: " : ", ", human_count(count), name);
    }
    return text;
}

std::string retry_text(const ProgressFacts& facts) {
    return fmt::format("{} retr{}", human_count(facts.retry_count),
                       facts.retry_count == 1 ? "y" : "ies");
}

std::string wait_text(const crawl::HostStatus& host) {
    if (host.wait == crawl::HostWait::robots) {
        return fmt::format("robots.txt of {} answered {}; asked again in {} ({} URL{})",
                           plain(host.name), host.robots_status, human_duration(host.wait_left),
                           human_count(host.waiting_count), host.waiting_count == 1 ? "" : "s");
    }
    return fmt::format("{} waits {}: {} ({} URL{})", plain(host.name),
                       human_duration(host.wait_left), describe(host.wait),
                       human_count(host.waiting_count), host.waiting_count == 1 ? "" : "s");
}

nlohmann::ordered_json json_of(const std::vector<crawl::HostStatus>& hosts) {
    auto out = nlohmann::ordered_json::array();
    for (const crawl::HostStatus& host : hosts) {
        out.push_back({{"host", host.name},
                       {"under_way", host.under_way_count},
                       {"waiting", host.waiting_count},
                       {"answer_seconds", in_seconds(host.answer_time)},
                       {"wait_seconds", in_seconds(host.wait_left)},
                       {"why", describe(host.wait)}});
    }
    return out;
}

}  // namespace

ProgressFacts ProgressWatch::look_at_numbers() {
    const aio::EventLoop& loop = aio::EventLoop::running();
    const crawl::Statistics numbers = crawl_.numbers();
    const frontier::Counts counts = crawl_.counts();
    ProgressFacts facts;
    facts.date = loop.wall_time();
    if (numbers.started != TimePoint{}) facts.elapsed = loop.time() - numbers.started;
    facts.done_count = numbers.outcome_count;
    facts.content_bytes = numbers.content_bytes;
    facts.waiting_count = counts.waiting + (others_ ? others_() : 0);
    facts.under_way_count = counts.lent;
    facts.active_host_count = crawl_.active_host_count();
    facts.retry_count = numbers.retry_count;
    add_errors(facts);
    add_outlook(facts, loop.time());
    return facts;
}

aio::Co<ProgressFacts> ProgressWatch::look() {
    ProgressFacts facts = look_at_numbers();
    std::vector<crawl::HostStatus> hosts = co_await crawl_.host_statuses();
    for (crawl::HostStatus& host : hosts) {
        if (host.under_way_count > 0) {
            facts.slowest.push_back(std::move(host));
        } else if (host.waiting_count > 0) {
            facts.waiting.push_back(std::move(host));
        }
    }
    std::ranges::sort(facts.slowest, std::greater(), &crawl::HostStatus::answer_time);
    std::ranges::sort(facts.waiting, std::greater(), &crawl::HostStatus::wait_left);
    if (facts.slowest.size() > kHostsShown) facts.slowest.resize(kHostsShown);
    if (facts.waiting.size() > kHostsShown) facts.waiting.resize(kHostsShown);
    co_return facts;
}

void ProgressWatch::add_errors(ProgressFacts& facts) const {
    const crawl::Statistics numbers = crawl_.numbers();
    for (const auto& [status, count] : numbers.by_status) {
        if (status >= 400) facts.errors.emplace_back(std::to_string(status), count);
    }
    for (const auto& [name, count] : numbers.by_failure) {
        // URLs that a budget or the trap rule refused are no errors.
        if (!crawl::refusal_named(name)) facts.errors.emplace_back(name, count);
    }
    std::ranges::sort(facts.errors, std::greater(), [](const auto& error) { return error.second; });
    if (facts.errors.size() > kErrorsShown) facts.errors.resize(kErrorsShown);
}

void ProgressWatch::add_outlook(ProgressFacts& facts, TimePoint now) {
    const std::uint64_t open_count = facts.waiting_count + facts.under_way_count;
    samples_.push_back({now, facts.done_count, open_count});
    // The oldest sample stays until the second is as old as the window, so that the whole window is
    // covered.
    while (samples_.size() > 2 && now - samples_[1].time >= kWindow) samples_.pop_front();
    const Sample& old = samples_.front();
    const double span = in_seconds(now - old.time);
    if (span <= 0) return;
    facts.rate = static_cast<double>(facts.done_count - old.done_count) / span;
    // While more URLs are found than fetched, an estimate of the end would be wrong.
    facts.is_growing = open_count > old.open_count;
    if (!facts.is_growing && facts.rate > 0) {
        facts.time_left = std::chrono::duration_cast<Duration>(
            std::chrono::duration<double>(static_cast<double>(open_count) / facts.rate));
    }
}

std::string to_line(const ProgressFacts& facts) {
    std::string line = fmt::format(
        "{} done, {}, {}, {} waiting, {} under way at {} hosts", human_count(facts.done_count),
        rate_text(facts.rate), human_bytes(facts.content_bytes), human_count(facts.waiting_count),
        human_count(facts.under_way_count), human_count(facts.active_host_count));
    if (facts.retry_count > 0) line += ", " + retry_text(facts);
    if (const std::string errors = error_text(facts); !errors.empty()) line += ", " + errors;
    if (const std::string end = outlook(facts); !end.empty()) line += ", " + end;
    if (facts.under_way_count == 0 && !facts.waiting.empty()) {
        line += ", " + wait_text(facts.waiting.front());
    }
    return line;
}

std::string to_json_line(const ProgressFacts& facts) {
    nlohmann::ordered_json out = {
        {"time", to_iso8601(facts.date)},     {"seconds", in_seconds(facts.elapsed)},
        {"done", facts.done_count},           {"rate", facts.rate},
        {"bytes", facts.content_bytes},       {"waiting", facts.waiting_count},
        {"under_way", facts.under_way_count}, {"active_hosts", facts.active_host_count},
        {"retries", facts.retry_count},       {"growing", facts.is_growing}};
    out["seconds_left"] = facts.time_left ? nlohmann::ordered_json(in_seconds(*facts.time_left))
                                          : nlohmann::ordered_json();
    out["errors"] = nlohmann::ordered_json::object();
    for (const auto& [name, count] : facts.errors) out["errors"][name] = count;
    out["slowest_hosts"] = json_of(facts.slowest);
    out["waiting_hosts"] = json_of(facts.waiting);
    return to_json_text(out, JsonLayout::one_line);
}

std::vector<std::string> to_block(const ProgressFacts& facts, std::size_t width,
                                  std::size_t height) {
    std::vector<std::string> lines;
    std::vector<std::string> first = {human_count(facts.done_count) + " done",
                                      rate_text(facts.rate),
                                      human_bytes(facts.content_bytes),
                                      human_count(facts.waiting_count) + " waiting",
                                      human_count(facts.under_way_count) + " under way",
                                      human_count(facts.active_host_count) + " hosts",
                                      clock(facts.elapsed)};
    if (facts.retry_count > 0) first.push_back(retry_text(facts));
    if (std::string end = outlook(facts); !end.empty()) first.push_back(std::move(end));
    flow(lines, first, width);
    if (const std::string errors = error_text(facts); !errors.empty()) {
        lines.push_back(cut(errors, width));
    }
    for (const crawl::HostStatus& host : facts.slowest) {
        lines.push_back(
            cut(fmt::format("{} answers in {}", plain(host.name), human_duration(host.answer_time)),
                width));
    }
    for (const crawl::HostStatus& host : facts.waiting) {
        lines.push_back(cut(wait_text(host), width));
    }
    if (lines.size() > height) lines.resize(height);
    return lines;
}

}  // namespace weft::cli
