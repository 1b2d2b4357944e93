#include "cli/crawl/outcome_line.h"

#include <iterator>
#include <string_view>

#include <fmt/format.h>

#include "base/escape.h"
#include "base/units.h"

namespace weft::cli {
namespace {

using Out = std::back_insert_iterator<std::string>;

void add_discovery(Out out, const crawl::Outcome& outcome) {
    fmt::format_to(out, "          found: {}", name(outcome.via));
    if (!outcome.referrer.empty()) {
        fmt::format_to(out, " on {}", escape_for_terminal(outcome.referrer));
    }
    fmt::format_to(out, ", {} from a seed", outcome.depth);
    if (outcome.attempt_count > 1) fmt::format_to(out, ", try {}", outcome.attempt_count);
    fmt::format_to(out, "\n");
}

// Timings are moments since the start of the fetch. Users want the duration of each phase.
void add_phases(Out out, const crawl::Outcome& outcome) {
    const http::Timings& timings = outcome.timings;
    Duration before = timings.waited;
    std::string text;
    const auto add = [&](std::string_view phase, Duration end) {
        if (end <= before) return;
        text +=
            fmt::format("{}{} {}", text.empty() ? "" : ", ", phase, human_duration(end - before));
        before = end;
    };
    add("dns", timings.dns);
    add("connect", timings.connect);
    add("proxy", timings.proxy);
    add("tls", timings.tls);
    add("sent", timings.sent);
    add("first byte", timings.first_byte);
    add("body", timings.total);
    if (text.empty()) return;
    fmt::format_to(out, "          took: {}{}{}\n", text, outcome.address.empty() ? "" : " from ",
                   escape_for_terminal(outcome.address));
}

void add_links(Out out, const crawl::Outcome& outcome) {
    if (outcome.link_count == 0 && outcome.refused.empty()) return;
    fmt::format_to(out, "          links: {} wanted ({} new)", outcome.link_count,
                   outcome.new_link_count);
    for (const auto& [rule, count] : outcome.refused) {
        fmt::format_to(out, ", {} {}", count, escape_for_terminal(rule));
    }
    fmt::format_to(out, "\n");
}

}  // namespace

std::string outcome_line(const crawl::Outcome& outcome) {
    const bool has_status = outcome.status != 0;
    std::string line =
        fmt::format("{:>8} {:>10} {:>8}  {}",
                    has_status ? std::to_string(outcome.status) : std::string(name(outcome.ending)),
                    human_bytes(outcome.content_bytes), human_duration(outcome.elapsed),
                    escape_for_terminal(outcome.url));
    if (!outcome.redirect_target.empty()) {
        line += " -> " + escape_for_terminal(outcome.redirect_target);
    }
    if (!outcome.failure.empty()) {
        line += fmt::format(" ({})", escape_for_terminal(outcome.failure));
    }
    return line;
}

std::string outcome_details(const crawl::Outcome& outcome) {
    std::string text;
    const Out out = std::back_inserter(text);
    add_discovery(out, outcome);
    if (!outcome.reason.empty()) {
        fmt::format_to(out, "          why: {}\n", escape_for_terminal(outcome.reason));
    }
    add_phases(out, outcome);
    add_links(out, outcome);
    return text;
}

void tell_outcome(const crawl::Outcome& outcome, const Show& show, Progress& progress) {
    if (!show.tells_urls) return;
    std::string text = outcome_line(outcome);
    if (show.tells_details) text += "\n" + outcome_details(outcome);
    // Progress::say() adds the line end.
    if (text.ends_with('\n')) text.pop_back();
    outcome.is_broken() ? progress.say_wrong(text) : progress.say(text);
}

}  // namespace weft::cli
