#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/shell_word.h"
#include "base/units.h"
#include "cli/report/report.h"
#include "crawl/scope/refusal.h"
#include "http/server/server.h"

namespace weft::cli {
namespace {

// The text is for a terminal: it shows the first rows, and names the format that has all.
constexpr std::size_t kBrokenShownMax = 20;
constexpr std::size_t kReferrersShownMax = 3;
constexpr std::size_t kListShownMax = 5;
constexpr std::size_t kRowsShownMax = 20;

using Out = std::back_insert_iterator<std::string>;

// Links that were not followed as they would lead on without end.
std::uint64_t trap_link_count(const Report& report) {
    using enum crawl::Refusal;
    std::uint64_t count = 0;
    for (const auto rule :
         {path_depth, path_repeats, query_size, calendar, session_id, url_pattern}) {
        const auto found = report.by_refusal.find(std::string(crawl::name(rule)));
        if (found != report.by_refusal.end()) count += found->second;
    }
    return count;
}

void add_counts(Out out, const Report& report) {
    const double seconds = in_seconds(report.elapsed);
    fmt::format_to(out, "{} URL{}", human_count(report.outcome_count),
                   report.outcome_count == 1 ? "" : "s");
    if (report.elapsed >= 1ms) {  // A rate over less time says nothing.
        fmt::format_to(out, " in {} ({:.0f} a second)", human_duration(report.elapsed),
                       static_cast<double>(report.outcome_count) / seconds);
    }
    const std::uint64_t new_bytes = report.content_bytes - report.unchanged_bytes;
    fmt::format_to(out, ", {} of content", human_bytes(new_bytes));
    if (report.unchanged_bytes > 0) {
        fmt::format_to(out, "; {} more is unchanged and was not sent again",
                       human_bytes(report.unchanged_bytes));
    }
    fmt::format_to(out, "\n\n");
    const auto row = [&](std::uint64_t count, std::string_view what) {
        if (count > 0) fmt::format_to(out, "{:>10}  {}\n", human_count(count), what);
    };
    row(report.fetched_count, "fetched");
    row(report.unchanged_count, "of them unchanged since the earlier crawl");
    row(report.redirect_count, "redirects");
    row(report.denied_count, "kept out by robots.txt");
    row(report.skipped_count, "skipped: a budget was used up, or a trap");
    row(report.failed_count, "failed");
    row(report.waiting_count, "not reached");
    row(report.retry_count, "tries more than once");
    row(report.duplicate_count, "with the content of another page");
    row(report.cut_count, "cut: over the size limit, or over the limit for links");
    row(trap_link_count(report), "links cut off: they lead into a trap");
    row(report.not_stored_count, "links not stored: their hosts have reached --host-limit");
}

// Says how to get the pages that a limit left out.
void add_way_on(Out out, const Report& report) {
    const auto skipped = [&report](crawl::Refusal rule) {
        return report.by_skip.contains(std::string(crawl::name(rule)));
    };
    std::string options;
    if (skipped(crawl::Refusal::pattern_pages)) options += " --pattern-limit 0";
    if (skipped(crawl::Refusal::host_pages)) options += " --host-limit 0";
    if (skipped(crawl::Refusal::domain_pages)) options += " --domain-limit 0";
    const std::string folder = shell_word(report.output);
    if (!options.empty() && !report.output.empty()) {
        fmt::format_to(out, "\nTo have what a limit left out:  weft resume {} --retry-failed{}\n",
                       folder, options);
    }
    if (report.not_stored_count > 0 && !report.output.empty()) {
        fmt::format_to(
            out, "\nTo have the links that were not stored:  weft recrawl {} --host-limit N\n",
            folder);
    }
}

// The largest counts first. The names may come from servers, so their number and length are
// limited.
void add_table(Out out, std::string_view title, const std::map<std::string, std::uint64_t>& rows) {
    if (rows.empty()) return;
    std::vector<std::pair<std::string_view, std::uint64_t>> sorted(rows.begin(), rows.end());
    std::ranges::sort(sorted, [](const auto& a, const auto& b) {
        return a.second != b.second ? a.second > b.second : a.first < b.first;
    });
    fmt::format_to(out, "\n{}\n", title);
    for (std::size_t i = 0; i < std::min(sorted.size(), kRowsShownMax); ++i) {
        const auto& [name, count] = sorted[i];
        fmt::format_to(out, "{:>10}  {}\n", human_count(count),
                       name.empty() ? "(none given)" : escape_for_terminal(utf8_prefix(name, 60)));
    }
    if (sorted.size() > kRowsShownMax) {
        fmt::format_to(out, "      ... and {} more\n", sorted.size() - kRowsShownMax);
    }
}

void add_statuses(Out out, const Report& report) {
    if (report.by_status.empty()) return;
    fmt::format_to(out, "\nBy status\n");
    for (const auto& [status, count] : report.by_status) {
        fmt::format_to(out, "{:>10}  {} {}\n", human_count(count), status, http::reason_of(status));
    }
}

void add_more(Out out, std::uint64_t count) {
    if (count > kListShownMax) {
        fmt::format_to(out, "      ... and {} more\n", human_count(count - kListShownMax));
    }
}

void add_slowest(Out out, const Report& report) {
    if (report.slowest.empty()) return;
    fmt::format_to(out, "\nSlowest\n");
    for (std::size_t i = 0; i < std::min(report.slowest.size(), kListShownMax); ++i) {
        const Report::Page& page = report.slowest[i];
        fmt::format_to(out, "{:>10}  {}\n", human_duration(page.elapsed),
                       escape_for_terminal(page.url));
    }
    fmt::format_to(out, "\nLargest\n");
    for (std::size_t i = 0; i < std::min(report.largest.size(), kListShownMax); ++i) {
        const Report::Page& page = report.largest[i];
        fmt::format_to(out, "{:>10}  {}\n", human_bytes(page.content_bytes),
                       escape_for_terminal(page.url));
    }
}

void add_duplicates(Out out, const Report& report) {
    if (report.duplicates.empty()) return;
    fmt::format_to(out, "\nThe same content under several URLs\n");
    for (std::size_t i = 0; i < std::min(report.duplicates.size(), kListShownMax); ++i) {
        const Report::Duplicates& group = report.duplicates[i];
        fmt::format_to(out, "{:>10}  {}\n", human_count(group.count),
                       escape_for_terminal(group.urls.front()));
    }
    add_more(out, report.duplicates.size());
}

void add_redirects(Out out, const Report& report) {
    if (report.redirects.empty()) return;
    fmt::format_to(out, "\nRedirects\n");
    for (std::size_t i = 0; i < std::min(report.redirects.size(), kListShownMax); ++i) {
        const Report::Redirect& redirect = report.redirects[i];
        fmt::format_to(out, "{:>10}  {}\n              to {}\n", redirect.status,
                       escape_for_terminal(redirect.url), escape_for_terminal(redirect.target));
    }
    add_more(out, report.redirect_count);
}

void add_denied(Out out, const Report& report) {
    if (report.denied.empty()) return;
    fmt::format_to(out, "\nKept out by robots.txt\n");
    for (std::size_t i = 0; i < std::min(report.denied.size(), kListShownMax); ++i) {
        fmt::format_to(out, "            {}\n", escape_for_terminal(report.denied[i].url));
    }
    add_more(out, report.denied_count);
}

// The command that shows more, if the crawl has a folder.
std::string way_to(const Report& report, std::string_view form) {
    if (report.output.empty()) return "";
    return fmt::format(":  weft report --format {} {}", form, shell_word(report.output));
}

void add_referrers(Out out, const Report::Broken& broken) {
    const std::size_t shown = std::min(broken.referrers.size(), kReferrersShownMax);
    for (std::size_t i = 0; i < shown; ++i) {
        fmt::format_to(out, "              on {}\n", escape_for_terminal(broken.referrers[i]));
    }
    if (broken.referrer_count > shown) {
        fmt::format_to(out, "              and on {} more pages\n", broken.referrer_count - shown);
    }
}

void add_broken(Out out, const Report& report) {
    if (report.broken.empty()) {
        fmt::format_to(out, "\nNo broken links.\n");
        return;
    }
    fmt::format_to(out, "\nBroken links ({})\n", human_count(report.broken_count));
    std::size_t shown = 0;
    for (const Report::Broken& broken : report.broken) {
        if (shown++ == kBrokenShownMax) {
            fmt::format_to(out, "      ... and {} more{}\n",
                           human_count(report.broken_count - kBrokenShownMax),
                           way_to(report, "csv"));
            break;
        }
        const std::string what = broken.status != 0 ? fmt::format("{}", broken.status) : "";
        fmt::format_to(out, "{:>10}  {}\n", what, escape_for_terminal(broken.url));
        if (broken.status == 0) {
            fmt::format_to(out, "              {}\n", escape_for_terminal(broken.reason));
        }
        add_referrers(out, broken);
    }
    if (report.referrers == Report::Referrers::first) {
        fmt::format_to(out,
                       "  Each is shown with the page where it was first found; crawl with "
                       "--links to get all pages\n");
    } else if (report.referrers == Report::Referrers::some) {
        fmt::format_to(out, "  More pages may link to them: some lists of links are cut\n");
    }
}

// Whether one of the short lists is not complete.
bool has_more(const Report& report) {
    return report.duplicates.size() > kListShownMax || report.redirect_count > kListShownMax ||
           report.denied_count > kListShownMax || report.by_type.size() > kRowsShownMax ||
           report.by_failure.size() > kRowsShownMax;
}

}  // namespace

std::string to_text(const Report& report) {
    std::string text;
    const Out out = std::back_inserter(text);
    add_counts(out, report);
    add_way_on(out, report);
    add_statuses(out, report);
    add_table(out, "By type", report.by_type);
    add_table(out, "By failure", report.by_failure);
    add_table(out, "Links not followed, by rule", by_phrase(report.by_refusal));
    add_table(out, "Skipped, by rule", by_phrase(report.by_skip));
    add_slowest(out, report);
    add_duplicates(out, report);
    add_redirects(out, report);
    add_denied(out, report);
    add_broken(out, report);
    if (!report.output.empty()) {
        fmt::format_to(out, "\nKept in {}\n", escape_for_terminal(report.output));
        if (has_more(report)) {
            fmt::format_to(out, "Longer lists{}\n", way_to(report, "json"));
        }
    }
    return text;
}

}  // namespace weft::cli
