#include <algorithm>
#include <map>
#include <unordered_map>

#include <fmt/chrono.h>
#include <fmt/format.h>

#include "archive/index/page_reader.h"
#include "base/escape.h"
#include "base/hash.h"
#include "cli/options/folder_settings.h"
#include "cli/report/report_graph.h"

namespace weft::cli {
namespace {

struct Line {
    std::string url;
    std::string rest;
    bool is_html = false;
    std::uint64_t link_count = 0;
};

std::string or_none(std::string_view text) {
    return text.empty() ? "None" : escape_for_terminal(text);
}

Line line_of(const archive::Outcome& entry) {
    Line line{.url = entry.url};
    if (entry.ending == archive::Ending::redirect) {
        line.rest = fmt::format("{} redirect {}", entry.status, or_none(entry.redirect_target));
    } else if (entry.ending != archive::Ending::fetched) {
        line.rest = fmt::format(
            "{} {}", entry.ending == archive::Ending::failed ? "error" : name(entry.ending),
            or_none(entry.failure.empty() ? entry.reason : entry.failure));
    } else {
        line.is_html = entry.content_type == "text/html";
        line.link_count = entry.link_count;
        line.rest = fmt::format("{} {} {} {}", entry.status, or_none(entry.content_type),
                                or_none(entry.charset), entry.content_bytes);
    }
    return line;
}

void count(const archive::Outcome& entry, std::map<std::string, std::uint64_t>& counters) {
    if (entry.ending == archive::Ending::failed) {
        ++counters["fail"];
        ++counters["fail_" + escape_for_terminal(entry.failure)];
        return;
    }
    if (entry.ending == archive::Ending::redirect) {
        ++counters["redirect"];
    } else if (entry.ending == archive::Ending::fetched) {
        const std::string kind = entry.status != 200                 ? "error"
                                 : entry.content_type == "text/html" ? "html"
                                                                     : "other";
        ++counters[kind];
        counters[kind + "_bytes"] += entry.content_bytes;
    } else {
        ++counters[std::string(name(entry.ending))];
    }
    if (entry.status != 0) ++counters[fmt::format("status_{}", entry.status)];
}

}  // namespace

void write_reference(aio::FileSystem& files, const std::filesystem::path& folder,
                     const TextSink& sink) {
    const crawl::Config config = kept_config(folder.string());
    const std::unique_ptr<aio::File> pages =
        files.open(folder / "pages" / "pages.jsonl", aio::OpenMode::read);
    std::vector<Line> lines;
    std::map<std::string, std::uint64_t> counters;
    // How many URLs were first found on a page, by the hash of its URL.
    std::unordered_map<std::uint64_t, std::uint64_t> new_counts;
    WallTime first = kept_facts(files, folder).begun.value_or(WallTime::max());
    WallTime last = WallTime::min();
    archive::read_pages(*pages, [&](const archive::Outcome& entry) {
        lines.push_back(line_of(entry));
        count(entry, counters);
        if (!entry.referrer.empty()) ++new_counts[hash64(entry.referrer, 0)];
        first = std::min(first, entry.date);
        last = std::max(last, entry.date + entry.elapsed);
    });
    std::ranges::sort(lines, {}, &Line::url);
    sink("*** Report ***\n");
    for (const Line& line : lines) {
        std::string text = escape_for_terminal(line.url) + " " + line.rest;
        if (line.is_html) {
            text += fmt::format(" {}/{}", new_counts[hash64(line.url, 0)], line.link_count);
        }
        sink(text + "\n");
    }
    const double seconds = lines.empty() ? 0 : in_seconds(last - first);
    // Per task, as the reference crawler prints it.
    const double speed = seconds > 0 ? static_cast<double>(lines.size()) / seconds /
                                           static_cast<double>(config.concurrency)
                                     : 0;
    sink(fmt::format("Finished {} urls in {:.3f} secs (max_tasks={}) ({:.3f} urls/sec/task)\n",
                     lines.size(), seconds, config.concurrency, speed));
    for (const auto& [name, number] : counters) sink(fmt::format("{:10} {}\n", number, name));
    sink(fmt::format("Todo: {}\nDone: {}\nDate: {:%a %b %e %H:%M:%S %Y} local time\n",
                     waiting_count(files, folder), lines.size(),
                     fmt::localtime(std::chrono::system_clock::to_time_t(
                         std::chrono::time_point_cast<std::chrono::system_clock::duration>(
                             SystemClock().wall())))));
}

}  // namespace weft::cli
