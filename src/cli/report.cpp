#include "cli/report.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/units.h"
#include "http/server.h"

namespace weft::cli {
namespace {

constexpr std::size_t kBrokenShownMax = 20;
constexpr std::size_t kReferrersShownMax = 3;

using Out = std::back_insert_iterator<std::string>;

void add_counts(Out out, const Report& report) {
    const crawl::Statistics& numbers = report.statistics;
    const double seconds = std::chrono::duration<double>(report.elapsed).count();
    const double rate = seconds > 0 ? static_cast<double>(numbers.outcome_count) / seconds : 0;
    fmt::format_to(out, "{} URLs in {} ({:.0f} a second), {} of content\n\n",
                   human_count(numbers.outcome_count), human_duration(report.elapsed), rate,
                   human_bytes(numbers.content_bytes));
    const auto row = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) fmt::format_to(out, "{:>10}  {}\n", human_count(count), what);
    };
    row(numbers.fetched_count, "fetched");
    row(numbers.redirect_count, "redirects");
    row(numbers.denied_count, "kept out by robots.txt");
    row(numbers.skipped_count, "skipped: a budget was spent, or a trap");
    row(numbers.failed_count, "failed");
    row(report.counts.waiting + report.counts.lent, "not reached");
    row(numbers.retry_count, "tries more than once");
}

void add_table(Out out, const Report& report) {
    const crawl::Statistics& numbers = report.statistics;
    fmt::format_to(out, "\nBy status\n");
    for (const auto& [status, count] : numbers.by_status) {
        fmt::format_to(out, "{:>10}  {} {}\n", human_count(count), status, http::reason_of(status));
    }
    fmt::format_to(out, "\nBy type\n");
    for (const auto& [type, count] : numbers.by_type) {
        fmt::format_to(out, "{:>10}  {}\n", human_count(count),
                       type.empty() ? "(none given)" : escape_for_terminal(utf8_prefix(type, 60)));
    }
    if (numbers.by_failure.empty()) return;
    fmt::format_to(out, "\nBy failure\n");
    for (const auto& [failure, count] : numbers.by_failure) {
        fmt::format_to(out, "{:>10}  {}\n", human_count(count), failure);
    }
}

void add_referrers(Out out, const std::vector<std::string>& pages) {
    for (std::size_t i = 0; i < std::min(pages.size(), kReferrersShownMax); ++i) {
        fmt::format_to(out, "              on {}\n", escape_for_terminal(pages[i]));
    }
    if (pages.size() > kReferrersShownMax) {
        fmt::format_to(out, "              and on {} more pages\n",
                       pages.size() - kReferrersShownMax);
    }
}

void add_broken(Out out, const Report& report) {
    if (report.broken.empty()) {
        fmt::format_to(out, "\nNo broken links.\n");
        return;
    }
    fmt::format_to(out, "\nBroken links ({})\n", human_count(report.broken.size()));
    std::size_t shown = 0;
    for (const crawl::Outcome& outcome : report.broken) {
        if (shown++ == kBrokenShownMax) {
            fmt::format_to(out, "      ... and {} more\n", report.broken.size() - kBrokenShownMax);
            break;
        }
        const std::string what = outcome.status != 0 ? fmt::format("{}", outcome.status) : "";
        fmt::format_to(out, "{:>10}  {}\n", what, escape_for_terminal(outcome.url));
        if (outcome.ending == crawl::Ending::failed) {
            fmt::format_to(out, "              {}\n", escape_for_terminal(outcome.reason));
        }
        std::vector<std::string> pages = report.links.referrers(outcome.url);
        if (pages.empty() && !outcome.referrer.empty()) pages.push_back(outcome.referrer);
        add_referrers(out, pages);
    }
}

}  // namespace

std::string to_text(const Report& report) {
    std::string text;
    const Out out = std::back_inserter(text);
    add_counts(out, report);
    add_table(out, report);
    add_broken(out, report);
    if (!report.output.empty()) fmt::format_to(out, "\nKept in {}\n", report.output);
    return text;
}

}  // namespace weft::cli
