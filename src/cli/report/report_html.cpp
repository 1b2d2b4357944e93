#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/units.h"
#include "cli/report/report.h"
#include "http/message/status.h"

namespace weft::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

// The page must load and run nothing, whatever an attacker gets into it (H102): its content
// security policy allows no scripts, and no style except this one, which is known by its hash (a
// test computes the hash again).
constexpr std::string_view kHead = R"(<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src '@HASH@'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="referrer" content="no-referrer">
<title>Crawl report</title>
<style>
:root { --ink: #1d2125; --soft: #626b75; --line: #dfe3e8; --paper: #fff; --bar: #3b6ea8;
  --good: #2e7d4f; --bad: #b3402e; --warn: #9a6b00; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e8eb; --soft: #9aa4ae; --line: #343a41;
  --paper: #16191d; --bar: #6ea3dc; --good: #6cc294; --bad: #e88a78; --warn: #dcb04f; } }
body { font: 15px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper);
  max-width: 66rem; margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; overflow-wrap: anywhere; } h2 { font-size: 1.1rem; margin: 2rem 0 .5rem; }
p.sub { color: var(--soft); margin: 0 0 1.5rem; overflow-wrap: anywhere; }
nav a { margin-right: 1rem; } a { color: var(--bar); }
.cards { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(13rem, 40%), 1fr));
  gap: .75rem; margin-bottom: 1rem; }
.card { border: 1px solid var(--line); border-radius: .5rem; padding: .6rem 1rem; }
.card b { display: block; font-size: 1.4rem; font-variant-numeric: tabular-nums; }
.card span { color: var(--soft); font-size: .85rem; } .card b.bad { color: var(--bad); }
.charts { display: grid; grid-template-columns: repeat(auto-fit, minmax(20rem, 1fr));
  gap: 0 2.5rem; }
.bars { display: grid; grid-template-columns: minmax(4rem, max-content) 1fr max-content;
  gap: .25rem .75rem; align-items: center; }
.bars span { overflow-wrap: anywhere; font-variant-numeric: tabular-nums; }
.bars svg { width: 100%; height: .8rem; display: block; }
rect { fill: var(--bar); } rect.bad { fill: var(--bad); } rect.warn { fill: var(--warn); }
rect.good { fill: var(--good); }
.graph { width: 100%; border: 1px solid var(--line); border-radius: .5rem; }
.graph line { stroke: var(--soft); stroke-opacity: .3; } .graph circle { fill: var(--good);
  stroke: var(--paper); stroke-width: 1.5; } .graph circle.bad { fill: var(--bad); }
.graph circle.warn { fill: var(--warn); }
table { border-collapse: collapse; width: 100%; table-layout: fixed; }
th, td { text-align: left; padding: .35rem .5rem; border-bottom: 1px solid var(--line);
  vertical-align: top; overflow-wrap: anywhere; }
th { color: var(--soft); font-weight: 500; } td.n, th.n { text-align: right; width: 6rem;
  font-variant-numeric: tabular-nums; }
@media (max-width: 40rem) { td.n, th.n { width: 4rem; padding-left: 0; } }
bdi { unicode-bidi: isolate; } .soft { color: var(--soft); } .bad { color: var(--bad); }
</style>
</head>
<body>
)";
constexpr std::string_view kStyleHash = "sha256-S7c/XuVnCOacI7R7Pr7IIf7tVfRV0MNwqvagznbDDao=";

// The page must stay small enough for a browser, whatever the size of the crawl.
constexpr std::size_t kTableRowsMax = 500;
constexpr std::size_t kTableBytesMax = 2_MiB;  // URLs, and so rows, may be long.
constexpr std::size_t kHeadingMax = 200;
constexpr std::size_t kPagesShownMax = 5;
constexpr double kBarWidthMin = 1.5;  // In percent, so that a small bar is still visible.

// Escapes text from outside and isolates it, so that its writing direction does not affect the text
// around it.
std::string safe(std::string_view text) {
    return "<bdi>" + escape_for_html(escape_for_terminal(text)) + "</bdi>";
}

// A link to a page. Only http and https URLs become links, so that no other scheme can run code.
std::string link(std::string_view url) {
    if (!url.starts_with("http://") && !url.starts_with("https://")) return safe(url);
    return fmt::format("<a href=\"{}\" rel=\"noreferrer noopener\">{}</a>",
                       escape_for_html(escape_for_terminal(url)), safe(url));
}

void add_card(Out out, const std::string& value, std::string_view what,
              std::string_view tone = "") {
    fmt::format_to(out, "<div class=\"card\"><b class=\"{}\">{}</b><span>{}</span></div>\n", tone,
                   value, what);
}

void add_heading(Out out, const Report& report) {
    std::string of;
    if (!report.seeds.empty()) of = " of " + safe(utf8_prefix(report.seeds.front(), kHeadingMax));
    if (report.seed_count > 1)
        of += fmt::format(" and {} more", human_count(report.seed_count - 1));
    fmt::format_to(out, "<h1>Crawl{}</h1>\n", of);
}

void add_cards(Out out, const Report& report) {
    fmt::format_to(out, "<div class=\"cards\">\n");
    add_card(out, human_count(report.outcome_count), "URLs");
    add_card(out, human_count(report.fetched_count), "fetched");
    add_card(out, human_count(report.broken_count), "broken", report.broken_count > 0 ? "bad" : "");
    add_card(out, human_count(report.redirect_count), "redirects");
    add_card(out, human_count(report.denied_count), "kept out by robots.txt");
    add_card(out, human_count(report.duplicate_count), "duplicates");
    if (report.waiting_count > 0) add_card(out, human_count(report.waiting_count), "not reached");
    add_card(out, human_bytes(report.content_bytes - report.unchanged_bytes), "of content");
    if (report.unchanged_bytes > 0) {
        add_card(out, human_bytes(report.unchanged_bytes), "unchanged, not sent again");
    }
    add_card(out, human_duration(report.elapsed), "taken");
    fmt::format_to(out, "</div>\n");
}

struct Bar {
    std::string label;  // Escaped already.
    std::uint64_t count = 0;
    std::string_view tone = {};
};

void add_bars(Out out, std::string_view title, const std::vector<Bar>& bars) {
    if (bars.empty()) return;
    const std::uint64_t most =
        std::max<std::uint64_t>(1, std::ranges::max(bars, {}, &Bar::count).count);
    fmt::format_to(out, "<section><h2>{}</h2>\n<div class=\"bars\">\n", title);
    for (const Bar& bar : bars) {
        const double share = static_cast<double>(bar.count) / static_cast<double>(most);
        const double width = bar.count == 0 ? 0 : std::max(kBarWidthMin, 100 * share);
        fmt::format_to(out,
                       "<span>{}</span><svg><rect class=\"{}\" width=\"{:.1f}%\" height=\"100%\" "
                       "rx=\"2\"/></svg><span>{}</span>\n",
                       bar.label, bar.tone, width, human_count(bar.count));
    }
    fmt::format_to(out, "</div></section>\n");
}

std::string_view tone_of(int status) {
    return status >= 400 ? "bad" : status >= 300 ? "warn" : "good";
}

// The largest counts first, and only as many as a reader looks at.
std::vector<Bar> bars_of(const std::map<std::string, std::uint64_t>& rows, std::string_view tone) {
    constexpr std::size_t kBarsMax = 20;
    std::vector<Bar> bars;
    for (const auto& [name, count] : rows) {
        bars.push_back({name.empty() ? "(none given)" : safe(utf8_prefix(name, 60)), count, tone});
    }
    std::ranges::sort(bars, std::greater(), &Bar::count);
    if (bars.size() > kBarsMax) bars.resize(kBarsMax);
    return bars;
}

std::vector<Bar> depth_bars(const Report& report) {
    constexpr std::size_t kBarsMax = 20;
    std::vector<Bar> bars;
    for (const auto& [depth, count] : report.by_depth) {
        if (bars.size() == kBarsMax) break;
        bars.push_back({fmt::format("{} step{}", depth, depth == 1 ? "" : "s"), count});
    }
    return bars;
}

std::vector<Bar> time_bars(const Report& report) {
    std::vector<Bar> bars;
    for (std::size_t i = 0; i < report.by_time.size(); ++i) {
        const bool is_last = i == Report::kTimeBounds.size();
        bars.push_back({is_last ? "longer" : "under " + human_duration(Report::kTimeBounds[i]),
                        report.by_time[i], i >= 5 ? "warn" : ""});
    }
    // Only the empty bars at the end: a gap between others is information.
    while (!bars.empty() && bars.back().count == 0) bars.pop_back();
    return bars;
}

void add_charts(Out out, const Report& report) {
    std::vector<Bar> statuses;
    for (const auto& [status, count] : report.by_status) {
        statuses.push_back(
            {fmt::format("{} {}", status, http::reason_of(status)), count, tone_of(status)});
    }
    fmt::format_to(out, "<div class=\"charts\">\n");
    add_bars(out, "By status", statuses);
    add_bars(out, "By type", bars_of(report.by_type, ""));
    add_bars(out, "By time to answer", time_bars(report));
    add_bars(out, "By distance from the start", depth_bars(report));
    add_bars(out, "By failure", bars_of(report.by_failure, "bad"));
    add_bars(out, "Links not followed, by rule", bars_of(by_phrase(report.by_refusal), "warn"));
    add_bars(out, "Skipped, by rule", bars_of(by_phrase(report.by_skip), "warn"));
    fmt::format_to(out, "</div>\n");
}

void add_more(Out out, std::uint64_t count, std::size_t shown) {
    if (count > shown) {
        fmt::format_to(out, "<p class=\"soft\">… and {} more</p>\n", human_count(count - shown));
    }
}

void add_title(Out out, std::string_view id, std::string_view words, std::uint64_t count) {
    fmt::format_to(out, "<h2 id=\"{}\">{} <span class=\"soft\">{}</span></h2>\n", id, words,
                   human_count(count));
}

// Adds the first rows of a table, as many as a reader looks at. Returns their number.
template <class Each, class Row>
std::size_t add_rows(Out out, const std::vector<Each>& list, Row row) {
    std::size_t shown = 0;
    std::size_t bytes = 0;
    while (shown < std::min(list.size(), kTableRowsMax) && bytes < kTableBytesMax) {
        const std::string text = row(list[shown++]);
        bytes += text.size();
        std::ranges::copy(text, out);
    }
    return shown;
}

void add_broken_table(Out out, const Report& report) {
    add_title(out, "broken", "Broken links", report.broken_count);
    if (report.broken.empty()) {
        fmt::format_to(out, "<p>None.</p>\n");
        return;
    }
    fmt::format_to(out,
                   "<table><tr><th class=\"n\">status</th><th>link</th>"
                   "<th>found on</th></tr>\n");
    const auto row = [](const auto& broken) {
        std::string where;
        for (std::size_t j = 0; j < std::min(broken.referrers.size(), kPagesShownMax); ++j) {
            where += link(broken.referrers[j]) + "<br>";
        }
        if (broken.referrer_count > kPagesShownMax) {
            where += fmt::format("<span class=\"soft\">and {} more</span>",
                                 human_count(broken.referrer_count - kPagesShownMax));
        }
        // A status explains itself; a failure needs its reason.
        const std::string why =
            broken.status == 0 ? "<br><span class=\"soft\">" + safe(broken.reason) + "</span>" : "";
        return fmt::format("<tr><td class=\"n bad\">{}</td><td>{}{}</td><td>{}</td></tr>\n",
                           broken.status == 0 ? "none" : std::to_string(broken.status),
                           link(broken.url), why, where);
    };
    const std::size_t shown = add_rows(out, report.broken, row);
    fmt::format_to(out, "</table>\n");
    add_more(out, report.broken_count, shown);
}

void add_pages(Out out, std::string_view title, const std::vector<Report::Page>& pages) {
    if (pages.empty()) return;
    fmt::format_to(out,
                   "<h2 id=\"{0}\">{1}</h2>\n<table><tr><th class=\"n\">time</th>"
                   "<th class=\"n\">size</th><th>page</th></tr>\n",
                   title == "Slowest" ? "slowest" : "largest", title);
    for (const Report::Page& page : pages) {
        fmt::format_to(out, "<tr><td class=\"n\">{}</td><td class=\"n\">{}</td><td>{}</td></tr>\n",
                       human_duration(page.elapsed), human_bytes(page.content_bytes),
                       link(page.url));
    }
    fmt::format_to(out, "</table>\n");
}

void add_redirects_table(Out out, const Report& report) {
    if (report.redirects.empty()) return;
    add_title(out, "redirects", "Redirects", report.redirect_count);
    fmt::format_to(out,
                   "<table><tr><th class=\"n\">status</th>"
                   "<th>from</th><th>to</th></tr>\n");
    const auto row = [](const auto& redirect) {
        return fmt::format("<tr><td class=\"n\">{}</td><td>{}</td><td>{}</td></tr>\n",
                           redirect.status, link(redirect.url), link(redirect.target));
    };
    const std::size_t shown = add_rows(out, report.redirects, row);
    fmt::format_to(out, "</table>\n");
    add_more(out, report.redirect_count, shown);
}

void add_duplicates_table(Out out, const Report& report) {
    if (report.duplicates.empty()) return;
    add_title(out, "duplicates", "Same content", report.duplicates.size());
    fmt::format_to(out,
                   "<table><tr><th class=\"n\">pages</th>"
                   "<th>among them</th></tr>\n");
    const auto row = [](const auto& group) {
        std::string urls;
        for (std::size_t j = 0; j < std::min(group.urls.size(), kPagesShownMax); ++j) {
            urls += link(group.urls[j]) + "<br>";
        }
        return fmt::format("<tr><td class=\"n\">{}</td><td>{}</td></tr>\n",
                           human_count(group.count), urls);
    };
    const std::size_t shown = add_rows(out, report.duplicates, row);
    fmt::format_to(out, "</table>\n");
    add_more(out, report.duplicates.size(), shown);
}

void add_denied_table(Out out, const Report& report) {
    if (report.denied.empty()) return;
    add_title(out, "robots", "Kept out by robots.txt", report.denied_count);
    fmt::format_to(out,
                   "<table><tr><th>page</th>"
                   "<th>rule</th></tr>\n");
    const auto row = [](const auto& denied) {
        return fmt::format("<tr><td>{}</td><td>{}</td></tr>\n", link(denied.url),
                           safe(denied.reason));
    };
    const std::size_t shown = add_rows(out, report.denied, row);
    fmt::format_to(out, "</table>\n");
    add_more(out, report.denied_count, shown);
}

void add_contents(Out out, const Report& report) {
    fmt::format_to(out, "<nav><a href=\"#broken\">broken links</a>");
    const auto entry = [&](bool is_there, std::string_view id, std::string_view words) {
        if (is_there) fmt::format_to(out, "<a href=\"#{}\">{}</a>", id, words);
    };
    entry(!report.redirects.empty(), "redirects", "redirects");
    entry(!report.slowest.empty(), "slowest", "slowest");
    entry(!report.largest.empty(), "largest", "largest");
    entry(!report.duplicates.empty(), "duplicates", "same content");
    entry(!report.denied.empty(), "robots", "robots.txt");
    entry(!report.graph.nodes.empty(), "graph", "graph");
    fmt::format_to(out, "</nav>\n");
}

}  // namespace

std::string to_html(const Report& report) {
    std::string text(kHead);
    text.replace(text.find("@HASH@"), 6, kStyleHash);
    const Out out = std::back_inserter(text);
    add_heading(out, report);
    fmt::format_to(out, "<p class=\"sub\">begun {}{}{}</p>\n",
                   escape_for_html(to_iso8601(report.started)),
                   report.output.empty() ? "" : ", kept in ",
                   report.output.empty() ? "" : safe(report.output));
    add_cards(out, report);
    add_contents(out, report);
    add_charts(out, report);
    add_broken_table(out, report);
    add_redirects_table(out, report);
    add_pages(out, "Slowest", report.slowest);
    add_pages(out, "Largest", report.largest);
    add_duplicates_table(out, report);
    add_denied_table(out, report);
    if (!report.graph.nodes.empty()) {
        fmt::format_to(out,
                       "<h2 id=\"graph\">Pages and links</h2>\n<p class=\"soft\">The large one is "
                       "the start; redirects are yellow, broken links red. Point at one to see "
                       "which it is.</p>\n{}",
                       to_svg(report.graph));
    }
    return text + "</body>\n</html>\n";
}

}  // namespace weft::cli
