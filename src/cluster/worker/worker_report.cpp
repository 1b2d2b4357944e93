#include "cluster/worker/worker_report.h"

#include <charconv>
#include <utility>

#include <fmt/format.h>

namespace weft::cluster {

namespace {

constexpr std::size_t kValueBytesMax = 1'024;  // It comes from another machine.

std::uint64_t number_in(std::string_view text) {
    std::uint64_t value = 0;
    std::from_chars(text.data(), text.data() + text.size(), value);
    return value;
}

void add_text(std::string& out, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    out += name;
    out += ' ';
    for (const char c : value.substr(0, kValueBytesMax)) out += c == '\n' ? ' ' : c;
    out += '\n';
}

}  // namespace

std::string WorkerReport::to_text() const {
    std::string out = fmt::format(
        "pages {}\nbytes {}\nactive {}\nshards {}\nrun_ms {}\nrun_pages {}\nrecent_pages {}\n",
        pages, bytes, active, shards, run_ms, run_pages, recent_pages);
    add_text(out, "machine", machine);
    add_text(out, "folder", folder);
    add_text(out, "trouble", trouble);
    if (totals) {
        out += fmt::format("seen {}\ndone {}\nover {}\nall_bytes {}\n", totals->seen, totals->done,
                           totals->over_budget, totals->bytes);
    }
    return out;
}

WorkerReport WorkerReport::parse(std::string_view text) {
    WorkerReport report;
    Totals totals;
    const std::pair<std::string_view, std::uint64_t*> numbers[] = {
        {"pages", &report.pages},
        {"bytes", &report.bytes},
        {"active", &report.active},
        {"shards", &report.shards},
        {"run_ms", &report.run_ms},
        {"run_pages", &report.run_pages},
        {"recent_pages", &report.recent_pages},
        {"seen", &totals.seen},
        {"done", &totals.done},
        {"over", &totals.over_budget},
        {"all_bytes", &totals.bytes}};
    const std::pair<std::string_view, std::string*> texts[] = {
        {"machine", &report.machine}, {"folder", &report.folder}, {"trouble", &report.trouble}};
    while (!text.empty()) {
        const std::string_view line = text.substr(0, text.find('\n'));
        text.remove_prefix(std::min(line.size() + 1, text.size()));
        const std::string_view name = line.substr(0, line.find(' '));
        const std::string_view value = line.substr(std::min(name.size() + 1, line.size()));
        for (const auto& [known, field] : numbers) {
            if (name == known) *field = number_in(value);
        }
        for (const auto& [known, field] : texts) {
            if (name == known) *field = value.substr(0, kValueBytesMax);
        }
        if (name == "all_bytes") report.totals = totals;  // The last of them.
    }
    return report;
}

}  // namespace weft::cluster
