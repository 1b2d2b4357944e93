#include "cli/report/explain_robots.h"

#include <fmt/format.h>

#include "aio/files/files.h"
#include "base/shell_word.h"
#include "cli/crawl/crawl_folder.h"
#include "crawl/politeness/kept_robots.h"
#include "crawl/politeness/robots_cache.h"

namespace weft::cli {

namespace {

using crawl::RobotsMeaning;

// Evaluates the copy of robots.txt in the archive.
RobotsVerdict ask(const crawl::KeptRobots& kept, const crawl::Config& config, const web::Url& url) {
    const archive::Outcome& answer = kept.answer;
    RobotsVerdict verdict;
    verdict.file = answer.url;
    verdict.status = answer.status;
    verdict.fetched = answer.date;
    const RobotsMeaning meaning =
        crawl::robots_meaning(answer.status, config.robots_forbidden_denies);
    if (meaning != RobotsMeaning::rules) {
        verdict.denies = meaning == RobotsMeaning::closed;
        verdict.why =
            fmt::format("{} answered {}: {}", answer.url, answer.status,
                        verdict.denies ? "no page of its host may be fetched until it can be read"
                                       : "there are no rules");
        return verdict;
    }
    const web::RobotsDecision decision = kept.rules.decide(config.user_agent, url.path_and_query());
    verdict.denies = !decision.allowed;
    verdict.agent = kept.rules.group_for(config.user_agent);
    verdict.line = decision.line;
    if (decision.line > 0) {
        verdict.rule =
            fmt::format("{}: {}", decision.allowed ? "Allow" : "Disallow", decision.rule);
        verdict.why = fmt::format("line {}: {} (for User-agent: {}) in {}", decision.line,
                                  verdict.rule, verdict.agent, answer.url);
    } else if (verdict.agent.empty()) {
        verdict.why = fmt::format("no group for us in {}", answer.url);
    } else {
        verdict.why =
            fmt::format("no rule for it (for User-agent: {}) in {}", verdict.agent, answer.url);
    }
    return verdict;
}

// Without a copy: what follows from the outcomes of the host's URLs.
RobotsVerdict guess(const crawl::Config& config, const web::Url& url, const archive::Outcome* page,
                    const frontier::StoreSnapshot& state) {
    const std::string robots_url = url.resolve("/robots.txt")->href();
    if (page) {
        if (page->ending == archive::Ending::denied) return {.denies = true, .why = page->reason};
        if (page->ending == archive::Ending::skipped) return {.why = "not asked"};
        if (page->ending == archive::Ending::failed && config.archive) {
            return {.why = fmt::format("{} could not be fetched: {}", robots_url, page->reason)};
        }
        return {.why = "allows it"};
    }
    RobotsVerdict verdict{.is_open = true};
    if (state.attempt > 1 && config.archive) {
        verdict.why = fmt::format("{} could not be fetched so far", robots_url);
    } else if (state.host.done == 0) {
        verdict.why = "not read yet: no page of this host has been fetched";
    } else {
        verdict.why =
            "read for this host, and checked before each URL is fetched; see: weft fetch " +
            shell_word(robots_url);
    }
    return verdict;
}

}  // namespace

std::optional<RobotsVerdict> judge_by_robots(const crawl::Config& config, const web::Url& url,
                                             const archive::Outcome* page,
                                             const frontier::StoreSnapshot& state) {
    if (!config.obey_robots) return std::nullopt;
    const auto files = open_crawl_folder(config.output);
    const auto kept = crawl::find_kept_robots(*files, config.output, url);
    if (!kept) return guess(config, url, page, state);
    RobotsVerdict verdict = ask(*kept, config, url);
    // robots.txt may have changed since the URL was visited. What happened then counts.
    const bool was_let_in = page && page->ending != archive::Ending::denied &&
                            page->ending != archive::Ending::skipped &&
                            page->failure != "robots_unavailable";
    if (was_let_in && verdict.denies) {
        verdict.denies = false;
        verdict.why = "allowed it then; now: " + verdict.why;
    } else if (page && page->ending == archive::Ending::denied && !verdict.denies) {
        verdict.denies = true;
        verdict.why = fmt::format("{}; by now: {}", page->reason, verdict.why);
    }
    return verdict;
}

}  // namespace weft::cli
