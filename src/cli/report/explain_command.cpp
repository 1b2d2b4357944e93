#include "cli/report/explain_command.h"

#include <CLI/CLI.hpp>
#include <cstdio>
#include <iterator>
#include <nlohmann/json.hpp>
#include <optional>

#include <fmt/format.h>

#include "aio/files/files.h"
#include "aio/task/errors.h"
#include "base/escape.h"
#include "base/shell_word.h"
#include "base/units.h"
#include "cli/crawl/crawl_folder.h"
#include "cli/options/folder_settings.h"
#include "cli/options/option_table.h"
#include "cli/options/typed_url.h"
#include "cli/report/explain_links.h"
#include "cli/report/explain_robots.h"
#include "cli/report/report_command.h"
#include "cli/show/exit_status.h"
#include "cli/show/json_text.h"
#include "crawl/folder/page_index.h"
#include "crawl/scope/scope.h"
#include "frontier/store/store_error.h"
#include "frontier/store/store_snapshot.h"
#include "http/message/status.h"
#include "web/url/canonical.h"

namespace weft::cli {
namespace {

using Json = nlohmann::ordered_json;
using Out = std::back_insert_iterator<std::string>;

// What one rule says about the URL.
struct Verdict {
    std::string_view rule;
    std::string_view name;  // Of the refusal; empty: the rule allows it.
    std::string why;
    bool is_open = false;  // Decided when the URL's turn comes.
};

// Everything that is known about one URL.
struct Explanation {
    web::Url url;
    std::string folder;
    std::optional<archive::Outcome> page;  // Its final outcome, if it is done.
    frontier::StoreSnapshot state;
    std::vector<Verdict> rules;
    std::optional<RobotsVerdict> robots;
    std::optional<LinksTo> links;     // Empty: not searched.
    std::uint64_t waiting_count = 0;  // URLs of the crawl that are not done.
    std::string referrer;
    std::string via;
    std::uint32_t depth = 0;
    bool is_seed = false;

    bool is_known() const { return page || state.is_admitted; }
};

// Seeds whose redirects led to another host, according to the page log.
std::vector<crawl::MovedSeed> find_moved_seeds(const crawl::Config& config) {
    constexpr std::size_t kSeedsMax = 10;  // Each needs lookups in the page log.
    const auto files = open_crawl_folder(config.output);
    std::vector<crawl::MovedSeed> moved;
    for (std::size_t i = 0; i < std::min(config.seeds.size(), kSeedsMax); ++i) {
        web::Url at = config.seeds[i];
        for (std::uint32_t step = 0; step < config.redirect_count_max; ++step) {
            const auto page = crawl::find_page(*files, config.output, at, config.keeps_session_ids);
            if (!page || page->ending != crawl::Ending::redirect) break;
            auto target = web::Url::parse(page->redirect_target);
            if (!target) break;
            at = *std::move(target);
        }
        if (at.hostname() != config.seeds[i].hostname()) moved.push_back({config.seeds[i], at});
    }
    return moved;
}

// The trail of the page that led to the URL, as far as it is known. The rules need it.
crawl::Trail trail_before(const Explanation& known, crawl::Via via, const crawl::Config& config) {
    crawl::Trail from;
    // Only a link is one level deeper than its page.
    const bool keeps_depth = via == crawl::Via::redirect || via == crawl::Via::refresh ||
                             via == crawl::Via::requisite || via == crawl::Via::sitemap ||
                             via == crawl::Via::guess;
    from.depth = known.depth - (known.depth > 0 && !keeps_depth ? 1 : 0);
    from.redirects_left = config.redirects_left();
    return from;
}

void add_robots(Explanation& known, const crawl::Config& config) {
    known.robots =
        judge_by_robots(config, known.url, known.page ? &*known.page : nullptr, known.state);
    if (!known.robots) return;
    known.rules.push_back({"robots.txt", known.robots->denies ? "robots" : "", known.robots->why,
                           known.robots->is_open});
}

void judge(Explanation& known, const crawl::Config& config) {
    crawl::Via via = crawl::Via::link;
    if (known.page) {
        via = known.page->via;
    } else if (known.state.candidate) {
        via = crawl::Trail::unpack(known.state.candidate->trail).via;
    }
    known.via = name(via);
    known.is_seed = via == crawl::Via::seed;
    if (!known.is_seed) {  // Seeds are always wanted, whatever the rules say.
        const crawl::Scope scope(config);
        for (const crawl::RuleVerdict& verdict :
             scope.examine(known.url, via, trail_before(known, via, config))) {
            known.rules.push_back(
                {verdict.rule, verdict.refused ? name(verdict.refused->rule) : std::string_view(),
                 verdict.why});
        }
    }
    add_robots(known, config);
}

// The whole page log is read only if it may list links, or if nothing else is known about the URL.
void add_links(Explanation& known, const crawl::Config& config) {
    if (known.is_known() && !config.keeps_links) return;
    const std::filesystem::path folder = known.folder;
    const auto files = open_crawl_folder(folder);
    if (!files->exists(folder / "pages" / "pages.jsonl")) return;
    known.links = find_links_to(*files, folder, known.url, config.keeps_session_ids);
    known.waiting_count = frontier::counts_in_store(*files, folder / "state/frontier").waiting;
}

// The URL as the page log names it: without fragment, and without user and password, which belong
// to the crawl and not to the page. A path is relative to the first seed's origin.
web::Url asked_url(std::string typed, const web::Url& first_seed) {
    if (typed.starts_with('/') && !typed.starts_with("//")) {
        typed = first_seed.origin() + typed;
    } else if (!has_scheme(typed)) {
        typed = (typed.starts_with("//") ? "http:" : "http://") + typed;
    }
    web::Url url = parse_typed_url(typed, "explain");
    url.set_username("");
    url.set_password("");
    return url.without_fragment();
}

Explanation gather(const ExplainArguments& arguments) {
    crawl::Config config = kept_config(arguments.folder);
    Explanation known{.url = asked_url(arguments.url, config.seeds.front()),
                      .folder = arguments.folder};
    // Moved seeds widen the scope, so they matter only for URLs that are outside without them.
    if (!crawl::Scope(config).is_in_place(known.url)) config.moved_seeds = find_moved_seeds(config);
    const auto files = open_crawl_folder(arguments.folder);
    known.page = crawl::find_page(*files, arguments.folder, known.url, config.keeps_session_ids);
    const frontier::Candidate sought{
        .url = known.url.href(),
        .key = web::canonical_key(known.url, {.drop_session_ids = !config.keeps_session_ids}),
        .host = std::string(known.url.host()),
        .referrer = {}};
    const std::filesystem::path store = std::filesystem::path(arguments.folder) / "state/frontier";
    if (!known.page) known.state = frontier::find_in_store(*files, store, sought);
    if (known.page) {
        known.referrer = known.page->referrer;
        known.depth = known.page->depth;
    } else if (known.state.candidate) {
        known.referrer = known.state.candidate->referrer;
        known.depth = known.state.candidate->depth;
    } else if (!known.state.is_admitted) {
        known.depth = 1;  // As if a seed linked to it.
    }
    judge(known, config);
    add_links(known, config);
    return known;
}

std::string shown(std::string_view text) {
    return escape_for_terminal(text);
}

// Escapes all but backslashes: patterns contain them, and are shown as they were written.
std::string shown_pattern(std::string_view text) {
    std::string out;
    for (const char c : text) out += c == '\\' ? std::string("\\") : shown({&c, 1});
    return out;
}

// With two decimals, as local responses take less than a millisecond.
std::string fine_duration(Duration time) {
    if (time >= 10ms) return human_duration(time);
    return fmt::format("{:.2f} ms", in_seconds(time) * 1000);
}

void add_ending(Out out, const archive::Outcome& page) {
    fmt::format_to(out, "  {}",
                   page.ending == crawl::Ending::denied ? "kept out" : name(page.ending));
    if (page.status != 0) {
        fmt::format_to(out, ": {} {}", page.status, http::reason_of(page.status));
    }
    if (!page.content_type.empty()) fmt::format_to(out, ", {}", shown(page.content_type));
    if (page.content_bytes > 0) fmt::format_to(out, ", {}", human_bytes(page.content_bytes));
    fmt::format_to(out, "\n");
    const auto row = [&](std::string_view label, std::string_view text) {
        if (!text.empty()) fmt::format_to(out, "  {}: {}\n", label, shown(text));
    };
    row("why", page.reason);
    row("title", page.title);
    row("leads to", page.redirect_target);
    row("calls itself", page.canonical);
    row("almost the same as", page.near_duplicate_of);
    if (page.is_duplicate) fmt::format_to(out, "  another page had the same content before\n");
    if (page.is_truncated) fmt::format_to(out, "cut off: larger than the limit\n");
}

std::string found_as(std::string_view via) {
    if (via == "listed") return "an entry of a sitemap or feed";
    if (via == "requisite") return "a part of the page";
    if (via == "guess") return "a guess: many sites have it";
    return fmt::format("a {}", via);
}

void add_pages(Out out, std::string_view what, std::uint64_t count,
               const std::vector<std::string>& first) {
    constexpr std::size_t kShownMax = 10;
    if (count == 0) return;
    fmt::format_to(out, "  {} {}\n", human_count(count), what);
    const std::size_t shown_count = std::min(first.size(), kShownMax);
    for (std::size_t i = 0; i < shown_count; ++i) fmt::format_to(out, "    {}\n", shown(first[i]));
    if (count <= shown_count) return;
    fmt::format_to(out, "    ... and {} more; --json names {}\n", human_count(count - shown_count),
                   count > first.size() ? fmt::format("the first {}", human_count(first.size()))
                                        : std::string("all"));
}

// Reasons why there may be more links to the URL than are known.
void add_doubts(Out out, const Explanation& known) {
    const LinksTo& links = *known.links;
    if (links.unlisted_count > 0) {
        std::uint64_t refused_count = 0;
        for (const auto& [rule, count] : links.refused) refused_count += count;
        fmt::format_to(out,
                       "  {} links of {} pages were not followed; only a crawl with "
                       "--links keeps which\n",
                       human_count(refused_count), human_count(links.unlisted_count));
        for (const auto& [rule, count] : links.refused) {
            fmt::format_to(out, "    {:>8}  {}\n", human_count(count), crawl::phrase_of(rule));
        }
    }
    if (links.cut_count > 0) {
        fmt::format_to(out, "  {} not read to the end, and may have more links: {}\n",
                       links.cut_count == 1 ? std::string("1 page was")
                                            : human_count(links.cut_count) + " pages were",
                       shown(links.cut_page));
    }
    if (known.waiting_count > 0 && !known.is_known()) {
        fmt::format_to(out, "  {} URLs are not reached yet\n", human_count(known.waiting_count));
    }
}

void add_unknown(Out out, const Explanation& known) {
    if (!known.links) {
        fmt::format_to(out, "  not known: the crawl has no page log\n");
        return;
    }
    const LinksTo& links = *known.links;
    const bool is_found = links.count > 0 || links.redirect_count > 0;
    const bool is_sure = links.refused.empty() && links.cut_count == 0 && known.waiting_count == 0;
    if (!is_found && is_sure) {
        fmt::format_to(out, "  no link to it in the {} that were read\n",
                       human_count(links.page_count));
    } else if (!is_found) {
        fmt::format_to(out, "  on no page that is known\n");
    }
    add_pages(out, "pages have a link to it, which was not followed:", links.count, links.pages);
    add_pages(out, "URLs redirect to it, which was not followed:", links.redirect_count,
              links.redirects);
    add_doubts(out, known);
}

void add_found(Out out, const Explanation& known) {
    fmt::format_to(out, "\nFound\n");
    if (!known.is_known()) {
        add_unknown(out, known);
        return;
    }
    if (known.is_seed) {
        fmt::format_to(out, "  given as a seed\n");
    } else if (!known.referrer.empty()) {
        const bool is_nofollow = known.page && known.page->is_nofollow;
        fmt::format_to(out, "  on {}\n  as {}{}, {} step{} from a seed\n", shown(known.referrer),
                       found_as(known.via), is_nofollow ? " with rel=nofollow" : "", known.depth,
                       known.depth == 1 ? "" : "s");
    } else {
        fmt::format_to(out, "  its place in the queue is too far back to look up\n");
    }
    if (!known.links) {
        fmt::format_to(out, "  Only a crawl with --links keeps the other pages that link to it\n");
        return;
    }
    add_pages(out, "pages link to it:", known.links->count, known.links->pages);
    add_pages(out, "URLs redirect to it:", known.links->redirect_count, known.links->redirects);
    add_doubts(out, known);
}

void add_rules(Out out, const Explanation& known) {
    if (known.rules.empty()) return;
    fmt::format_to(out, "\nRules\n");
    const Verdict* against = nullptr;
    for (const Verdict& verdict : known.rules) {
        if (!verdict.name.empty() && !against) against = &verdict;
        const std::string_view mark = verdict.is_open        ? "later"
                                      : verdict.name.empty() ? "ok"
                                                             : "refuses";
        fmt::format_to(out, "  {:<8} {:<12} {}\n", mark, verdict.rule, shown_pattern(verdict.why));
    }
    if (against && !known.is_known()) {
        fmt::format_to(out, "  A link to it is not followed: {}\n",
                       crawl::phrase_of(against->name));
    } else if (!known.is_known()) {
        fmt::format_to(out, "  A link to it would be followed.\n");
    }
}

void add_fetch(Out out, const archive::Outcome& page) {
    if (page.ending == crawl::Ending::denied || page.ending == crawl::Ending::skipped) return;
    const bool has_answer = page.status != 0;
    fmt::format_to(out, "\n{}\n  at {}{}{}\n", has_answer ? "Fetched" : "Tried",
                   to_iso8601(page.date, 3), page.address.empty() ? "" : " from ",
                   shown(page.address));
    if (page.attempt_count > 1) {
        fmt::format_to(out, "  {} tries; this is the last\n", page.attempt_count);
    }
    Duration before{};
    const auto phase = [&](std::string_view label, Duration end) {
        if (end == Duration{}) return;
        const Duration took = end - std::min(before, end);
        fmt::format_to(out, "  {:<12} {:>9}\n", label, fine_duration(took));
        before = end;
    };
    phase("name", page.timings.dns);
    phase("connect", page.timings.connect);
    phase("tls", page.timings.tls);
    phase("request", page.timings.sent);
    phase("first byte", page.timings.first_byte);
    if (has_answer) phase("body", page.elapsed);
    fmt::format_to(out, "  {:<12} {:>9}\n", "in all", fine_duration(page.elapsed));
}

void add_waiting(Out out, const Explanation& known, WallTime now) {
    if (known.page || !known.state.is_admitted) return;
    const frontier::StoreSnapshot& state = known.state;
    fmt::format_to(out, "\nWaiting\n");
    if (state.is_host_dropped) {
        fmt::format_to(out, "  its host was dropped: it will not be fetched\n");
        return;
    }
    fmt::format_to(out, "  {} URLs of {} are not done\n",
                   human_count(state.host.admitted - state.host.done), shown(known.url.host()));
    if (state.attempt > 1) {
        fmt::format_to(out, "  it has failed before: the next is try {}\n", state.attempt);
    }
    const WallTime ready = std::max(state.host_ready_at, state.not_before.value_or(WallTime{}));
    if (ready > now) {
        fmt::format_to(out, "  no fetch before {}, in {}\n", to_iso8601(ready),
                       human_duration(ready - now));
    } else {
        fmt::format_to(out, "  its host is ready: it waits for its turn\n");
    }
    fmt::format_to(out, "  if no crawl is running:  weft resume {}\n", shell_word(known.folder));
}

void add_archive(Out out, const Explanation& known) {
    if (!known.page || known.page->archived.file.empty()) return;
    const ArchivePlace& record = known.page->archived;
    fmt::format_to(out,
                   "\nArchived\n  in {}, {} bytes at {}\n"
                   "  weft warc cat --offset {} {}\n",
                   shown(record.file), record.length, record.offset, record.offset,
                   shell_word(known.folder + "/archive/" + record.file));
}

// An unknown URL may be one of the refused links that were only counted.
void add_not_stored_links(Out out, const Explanation& known) {
    const auto files = open_crawl_folder(known.folder);
    const std::uint64_t count = not_stored_count(*files, known.folder);
    if (count == 0) return;
    fmt::format_to(out,
                   "  it may be one of {} links that were not stored: their hosts have all the "
                   "URLs that --host-limit lets them have; this host has {}\n",
                   human_count(count), human_count(known.state.host.admitted));
}

std::string explanation_text(const Explanation& known) {
    std::string text;
    const Out out = std::back_inserter(text);
    fmt::format_to(out, "{}\n", shown(known.page ? known.page->url : known.url.href()));
    if (known.page) {
        add_ending(out, *known.page);
    } else {
        text +=
            known.state.is_admitted ? "  waits to be fetched\n" : "  is not known to this crawl\n";
        if (!known.state.is_admitted) add_not_stored_links(out, known);
    }
    add_found(out, known);
    add_rules(out, known);
    if (known.page) add_fetch(out, *known.page);
    add_waiting(out, known, SystemClock().wall());
    add_archive(out, known);
    return text;
}

Json robots_json(const RobotsVerdict& robots) {
    return {{"url", robots.file},
            {"status", robots.status},
            {"fetched", to_iso8601(robots.fetched, 3)},
            {"allows", !robots.denies},
            {"agent", robots.agent},
            {"line", robots.line},
            {"rule", robots.rule}};
}

// A count that is not exact has another name.
Json links_json(const LinksTo& links) {
    Json out;
    out[links.is_all() ? "count" : "count_at_least"] = links.count;
    out["pages"] = links.pages;
    out["redirect_count"] = links.redirect_count;
    out["redirects"] = links.redirects;
    out["pages_read"] = links.page_count;
    out["pages_without_list"] = links.unlisted_count;
    out["pages_cut"] = links.cut_count;
    return out;
}

Json state_json(const Explanation& known) {
    return {{"host_waiting", known.state.host.admitted - known.state.host.done},
            {"host_ready_at", to_iso8601(known.state.host_ready_at, 3)},
            {"attempt", known.state.attempt},
            {"host_dropped", known.state.is_host_dropped}};
}

std::string explanation_json(const Explanation& known) {
    Json out;
    out["url"] = known.page ? known.page->url : known.url.href();
    out["state"] = known.page                ? name(known.page->ending)
                   : known.state.is_admitted ? "waiting"
                                             : "unknown";
    out["via"] = known.is_known() ? known.via : "";
    out["referrer"] = known.referrer;
    out["depth"] = known.depth;
    if (known.links) out["linked_from"] = links_json(*known.links);
    out["rules"] = Json::array();
    for (const Verdict& verdict : known.rules) {
        out["rules"].push_back({{"rule", verdict.rule},
                                {"refuses", !verdict.name.empty()},
                                {"later", verdict.is_open},
                                {"name", verdict.name},
                                {"why", verdict.why}});
    }
    if (known.robots && !known.robots->file.empty()) out["robots"] = robots_json(*known.robots);
    if (known.page) {
        out["page"] = Json::parse(archive::to_json_line(*known.page), nullptr, false);
    } else if (known.state.is_admitted) {
        out["waiting"] = state_json(known);
    }
    return to_json_text(out, JsonLayout::lines);
}

constexpr OptionSpec<ExplainArguments> kExplainOptions[] = {
    {"--json", "", "as JSON", [](auto& explain) { return flag(explain.json); }},
};

}  // namespace

void add_explain(CLI::App& app, ExplainArguments& arguments) {
    CLI::App* explain =
        app.add_subcommand("explain", "Say what became of a URL in a crawl, and why");
    explain->add_option("folder", arguments.folder, "folder of the crawl, which may still run")
        ->required()
        ->type_name("");
    explain->add_option("url", arguments.url, "the URL to explain")->required()->type_name("");
    add_options(*explain, "Options", kExplainOptions, arguments);
    explain->footer("Example: weft explain ./archive https://example.com/missing.html");
}

int run_explain(const ExplainArguments& arguments) {
    const Explanation known = gather(arguments);
    const std::string text = arguments.json ? explanation_json(known) : explanation_text(known);
    std::fwrite(text.data(), 1, text.size(), stdout);
    return exit_done;
}

}  // namespace weft::cli
