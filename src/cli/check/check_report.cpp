#include "cli/check/check_report.h"

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "archive/index/lines.h"
#include "base/bytes.h"
#include "base/escape.h"
#include "base/units.h"
#include "http/message/status.h"

namespace weft::cli {

using crawl::CheckedLink;
using State = crawl::LinkFate::State;

namespace {

constexpr std::size_t kSourcesShownMax = 5;
constexpr std::size_t kUnverifiedShownMax = 20;

using Out = std::back_insert_iterator<std::string>;

std::string count_of(std::uint64_t count, std::string_view one, std::string_view many) {
    return fmt::format("{} {}", human_count(count), count == 1 ? one : many);
}

void add_sources(Out out, const CheckedLink& link) {
    if (link.source_count == 0) fmt::format_to(out, "       given as a seed\n");
    const std::size_t shown = std::min(link.sources.size(), kSourcesShownMax);
    for (std::size_t i = 0; i < shown; ++i) {
        const crawl::LinkSource& source = link.sources[i];
        fmt::format_to(out, "       on {}", escape_for_terminal(source.page));
        if (!source.text.empty()) {
            fmt::format_to(out, "  \"{}\"", escape_for_terminal(source.text));
        }
        fmt::format_to(out, "\n");
    }
    if (link.source_count > shown) {
        fmt::format_to(out, "       and on {}\n",
                       count_of(link.source_count - shown, "more page", "more pages"));
    }
}

void add_links(Out out, std::string_view title, const std::vector<CheckedLink>& links,
               std::size_t shown_max) {
    if (links.empty()) return;
    fmt::format_to(out, "\n{} ({})\n", title, human_count(links.size()));
    for (std::size_t i = 0; i < std::min(links.size(), shown_max); ++i) {
        fmt::format_to(out, "  {}\n       {}\n", escape_for_terminal(links[i].url),
                       escape_for_terminal(what_is_wrong(links[i])));
        add_sources(out, links[i]);
    }
    if (links.size() > shown_max) {
        fmt::format_to(out, "  ... and {} more; --format json lists them\n",
                       human_count(links.size() - shown_max));
    }
}

}  // namespace

Baseline parse_baseline(std::string_view text, const web::Url& seed) {
    Baseline baseline;
    while (!text.empty()) {
        const std::string_view line = archive::take_line(text);
        const std::string_view spelled = trim(line.substr(0, line.find('\t')));
        if (spelled.empty() || spelled.starts_with('#')) continue;
        const auto url = seed.resolve(spelled);  // A broken link may be no valid URL.
        baseline.emplace(url ? url->href() : std::string(spelled), spelled);
    }
    return baseline;
}

namespace {

// The spelling of a link in a baseline: "./a" below the seed's folder, "/a" elsewhere at its
// origin, else the whole URL.
std::string spelled_from(const web::Url& seed, const CheckedLink& link) {
    std::string whole = escape_for_terminal(link.url);
    const std::string origin = seed.origin();
    const std::string folder = seed.resolve(".").value().href();
    std::string shorter;
    if (link.url.starts_with(folder)) {
        shorter = "./" + link.url.substr(folder.size());
    } else if (link.url.starts_with(origin + "/")) {
        shorter = link.url.substr(origin.size());
    }
    // The short form is used only if reading it gives the same URL: "//x" would be another host.
    const auto meant = seed.resolve(shorter);
    const bool is_same = !shorter.empty() && meant && meant->href() == link.url;
    return is_same ? escape_for_terminal(shorter) : whole;
}

}  // namespace

std::string to_baseline(const CheckReport& report, const web::Url& seed) {
    std::string text =
        "# Links known to be broken, one a line: `weft check --baseline` fails only on others.\n"
        "# Written by `weft check --write-baseline`; what is not a whole URL is seen from the "
        "start.\n";
    std::vector<const CheckedLink*> all;
    for (const CheckedLink& link : report.broken) all.push_back(&link);
    for (const CheckedLink& link : report.known) all.push_back(&link);
    std::ranges::sort(all, {},
                      [](const CheckedLink* link) -> const std::string& { return link->url; });
    for (const CheckedLink* link : all) {
        fmt::format_to(std::back_inserter(text), "{}\t{}\n", spelled_from(seed, *link),
                       escape_for_terminal(what_is_wrong(*link)));
    }
    return text;
}

void CheckSorter::add(CheckedLink link) {
    if (link.fate.failure == crawl::kNotReached) return add_unreached(std::move(link));
    ++report_.link_count;
    switch (link.fate.state) {
        case State::fine:
            ++report_.fine_count;
            if (wants_fine_) report_.fine.push_back(std::move(link.url));
            break;
        case State::unverified: report_.unverified.push_back(std::move(link)); break;
        case State::broken:
            (is_known(link) ? report_.known : report_.broken).push_back(std::move(link));
            break;
    }
}

// Keeps the first kUnreachedMax by URL: a heap with the last one on top, which is removed when
// there are too many.
void CheckSorter::add_unreached(CheckedLink link) {
    // Marks the baseline's entry as met: what was not reached is not mended.
    is_known(link);
    ++report_.unreached_count;
    std::vector<CheckedLink>& first = report_.unreached;
    first.push_back(std::move(link));
    std::ranges::push_heap(first, {}, &CheckedLink::url);
    if (first.size() <= CheckReport::kUnreachedMax) return;
    std::ranges::pop_heap(first, {}, &CheckedLink::url);
    first.pop_back();
}

bool CheckSorter::is_known(const CheckedLink& link) {
    if (baseline_.empty()) return false;
    std::string name = escape_for_terminal(link.url);
    if (!baseline_.contains(name)) return false;
    met_.insert(std::move(name));
    return true;
}

void CheckSorter::finish() {
    for (const auto& [url, spelled] : baseline_) {
        if (!met_.contains(url)) report_.mended.push_back(spelled);
    }
    std::ranges::sort(report_.mended);
    std::ranges::sort(report_.fine);
    for (auto* links : {&report_.broken, &report_.known, &report_.unverified, &report_.unreached}) {
        std::ranges::sort(*links, {}, &CheckedLink::url);
    }
}

std::string what_is_wrong(const CheckedLink& link) {
    const crawl::LinkFate& fate = link.fate;
    std::string text;
    if (fate.failure == "no_anchor" || fate.failure == "bad_url" || fate.status == 0) {
        text = fate.failure == "bad_url" ? "not a URL: " + fate.reason : fate.reason;
    } else {
        text = fmt::format("{} {}", fate.status, http::reason_of(fate.status));
        if (!fate.reason.empty()) text += ": " + fate.reason;
    }
    if (!fate.end_url.empty()) text += " (at " + fate.end_url + ")";
    return text;
}

std::string to_text(const CheckReport& report) {
    std::string text;
    const Out out = std::back_inserter(text);
    fmt::format_to(out, "{} checked on {} in {}: {} fine, {} broken",
                   count_of(report.link_count, "link", "links"),
                   count_of(report.page_count, "page", "pages"), human_duration(report.elapsed),
                   human_count(report.fine_count),
                   human_count(report.broken.size() + report.known.size()));
    if (!report.known.empty()) {
        fmt::format_to(out, " ({} known, {} new)", human_count(report.known.size()),
                       human_count(report.broken.size()));
    }
    if (!report.unverified.empty()) {
        fmt::format_to(out, ", {} not verified", human_count(report.unverified.size()));
    }
    if (report.unreached_count > 0) {
        fmt::format_to(out, "; {} not reached", human_count(report.unreached_count));
    }
    fmt::format_to(out, "\n");
    if (!report.unfinished.empty()) fmt::format_to(out, "Not finished: {}\n", report.unfinished);
    add_links(out, report.known.empty() ? "Broken" : "Broken, and not in the baseline",
              report.broken, report.broken.size());
    add_links(out, "Not verified", report.unverified, kUnverifiedShownMax);
    if (!report.mended.empty()) {
        fmt::format_to(out,
                       "\nIn the baseline, but not broken now ({}); --write-baseline drops them\n",
                       human_count(report.mended.size()));
        for (std::size_t i = 0; i < std::min(report.mended.size(), kUnverifiedShownMax); ++i) {
            fmt::format_to(out, "  {}\n", escape_for_terminal(report.mended[i]));
        }
        if (report.mended.size() > kUnverifiedShownMax) {
            fmt::format_to(out, "  ... and {} more; --format json lists them\n",
                           human_count(report.mended.size() - kUnverifiedShownMax));
        }
    }
    return text;
}

}  // namespace weft::cli
