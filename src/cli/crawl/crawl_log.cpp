#include "cli/crawl/crawl_log.h"

#include <algorithm>
#include <array>
#include <nlohmann/json.hpp>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/errors.h"
#include "base/escape.h"
#include "base/units.h"

namespace weft::cli {
namespace {

constexpr std::size_t kFlushBytes = 64_KiB;
constexpr Duration kFlushInterval = 1s;

// One word for a column. Text from outside must not end its column or its line (H102).
std::string word(std::string_view text) {
    if (text.empty()) return "-";
    std::string out = escape_for_terminal(text);
    std::ranges::replace(out, ' ', '_');
    return out;
}

// The codes of Heritrix, as described at heritrix_line().
int failure_status(std::string_view failure) {
    static constexpr auto kStatuses = std::to_array<std::pair<std::string_view, int>>({
        {"no_such_host", -1},
        {"dns_failed", -1},
        {"dns_timeout", -1},
        {"connect_refused", -2},
        {"connect_unreachable", -2},
        {"connect_failed", -2},
        {"tls_certificate", -2},
        {"tls_not_tls", -2},
        {"tls_failed", -2},
        {"host_down", -2},
        {"reset", -3},
        {"closed_early", -3},
        {"truncated", -3},
        {"connect_timeout", -4},
        {"tls_timeout", -4},
        {"send_timeout", -4},
        {"first_byte_timeout", -4},
        {"idle_timeout", -4},
        {"total_timeout", -4},
        {"too_slow", -4},
        {"robots_unavailable", -61},
    });
    const auto* found =
        std::ranges::find(kStatuses, failure, &std::pair<std::string_view, int>::first);
    return found == kStatuses.end() ? -5 : found->second;
}

int logged_status(const crawl::Outcome& outcome) {
    if (outcome.status != 0) return outcome.status;
    if (outcome.ending == crawl::Ending::denied) return -9998;
    if (outcome.ending != crawl::Ending::skipped) return failure_status(outcome.failure);
    // Budgets have names such as "host_pages", "domain_time" and "pattern_pages".
    const bool is_budget = outcome.failure.starts_with("host_") ||
                           outcome.failure.starts_with("domain_") ||
                           outcome.failure.ends_with("_pages");
    return is_budget ? -5003 : -5000;
}

// Heritrix's letters for a step of the discovery path.
char letter_of(crawl::Via via) {
    switch (via) {
        case crawl::Via::redirect:
        case crawl::Via::refresh: return 'R';
        case crawl::Via::requisite: return 'E';
        case crawl::Via::sitemap:
        case crawl::Via::listed: return 'M';
        case crawl::Via::guess: return 'I';
        default: return 'L';
    }
}

std::string path_of(const crawl::Outcome& outcome) {
    if (outcome.via == crawl::Via::seed) return "-";
    if (outcome.depth <= 1) return std::string(1, letter_of(outcome.via));
    return fmt::format("{}+{}", outcome.depth - 1, letter_of(outcome.via));
}

std::string annotations_of(const crawl::Outcome& outcome) {
    std::vector<std::string> notes;
    if (outcome.attempt_count > 1) notes.push_back(fmt::format("{}t", outcome.attempt_count));
    if (outcome.is_truncated) notes.emplace_back("lenTrunc");
    if (outcome.is_duplicate) notes.emplace_back("duplicate:digest");
    if (!outcome.failure.empty()) notes.push_back(word(outcome.failure));
    return notes.empty() ? "-" : fmt::format("{}", fmt::join(notes, ","));
}

std::string begin_and_duration(const crawl::Outcome& outcome) {
    std::string stamp = to_timestamp14(outcome.date);
    const auto since = outcome.date.time_since_epoch();
    return fmt::format("{}{:03}+{}", stamp, since / 1ms % 1000, outcome.elapsed / 1ms);
}

}  // namespace

std::string heritrix_line(const crawl::Outcome& outcome, WallTime now) {
    return fmt::format("{} {:>5} {:>10} {} {} {} {} #000 {} {} - {}\n", to_iso8601(now, 3),
                       logged_status(outcome), outcome.content_bytes, word(outcome.url),
                       path_of(outcome), word(outcome.referrer),
                       outcome.content_type.empty() ? "no-type" : word(outcome.content_type),
                       begin_and_duration(outcome), word(outcome.digest), annotations_of(outcome));
}

std::string json_log_line(const crawl::Outcome& outcome, WallTime now) {
    nlohmann::ordered_json line = {
        {"time", to_iso8601(now, 3)},     {"status", logged_status(outcome)},
        {"size", outcome.content_bytes},  {"url", outcome.url},
        {"ending", name(outcome.ending)}, {"via", name(outcome.via)},
        {"depth", outcome.depth},         {"referrer", outcome.referrer},
        {"mime", outcome.content_type},   {"begin", to_iso8601(outcome.date, 3)},
        {"ms", outcome.elapsed / 1ms},    {"digest", outcome.digest},
        {"tries", outcome.attempt_count}};
    if (!outcome.failure.empty()) line["failure"] = outcome.failure;
    if (!outcome.reason.empty()) line["reason"] = outcome.reason;
    return line.dump(  // tidy: allow banned-call: ASCII only
               -1, ' ', true, nlohmann::ordered_json::error_handler_t::replace) +
           "\n";
}

CrawlLog::CrawlLog(aio::FileSystem& files, const std::filesystem::path& folder,
                   const std::vector<std::string>& forms) {
    if (forms.empty()) return;
    files.create_directories(folder / "logs");
    const auto has = [&](std::string_view form) {
        return std::ranges::find(forms, form) != forms.end();
    };
    const auto open = [&](const char* name) {
        return files.open(folder / "logs" / name, aio::OpenMode::append);
    };
    if (has("heritrix")) sinks_.push_back({heritrix_line, open("crawl.log"), {}});
    if (has("jsonl")) sinks_.push_back({json_log_line, open("crawl.jsonl"), {}});
}

CrawlLog::~CrawlLog() {
    flush();
}

void CrawlLog::add(const crawl::Outcome& outcome) {
    if (sinks_.empty()) return;
    const aio::EventLoop& loop = aio::EventLoop::running();
    const WallTime now = loop.wall_time();
    std::size_t bytes = 0;
    for (Sink& sink : sinks_) {
        sink.pending += sink.write(outcome, now);
        bytes += sink.pending.size();
    }
    if (bytes >= kFlushBytes || loop.time() - flushed_ >= kFlushInterval) {
        flush();
        flushed_ = loop.time();
    }
}

void CrawlLog::flush() {
    for (Sink& sink : sinks_) {
        // Also dropped after a failure, so that memory does not grow.
        const std::string lines = std::exchange(sink.pending, {});
        if (lines.empty() || sink.has_failed) continue;
        try {
            sink.file->append(lines);
        } catch (const aio::IoError& error) {
            sink.has_failed = true;
            failure_ = error.what();
        }
    }
}

}  // namespace weft::cli
