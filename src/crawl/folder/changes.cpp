#include "crawl/folder/changes.h"

#include <charconv>
#include <optional>
#include <utility>
#include <vector>

#include <fmt/format.h>

#include "archive/index/line_sorter.h"
#include "archive/index/page_reader.h"
#include "base/escape.h"
#include "crawl/visit/outcome.h"

namespace weft::crawl {

namespace {

constexpr std::size_t kShownMax = 20;  // URLs of each kind in the summary.
constexpr std::size_t kChangesBatchBytes = 256_KiB;

// A page of one crawl is written as a line "URL \t side state status \t digest \n". Sorted lines
// are in the order of URLs, and for one URL the earlier crawl comes first. add_pages() leaves out
// URLs with a tab or a line end, which only a damaged log can have.
enum class Side : char { before = '0', after = '1' };
enum class State : char { good = 'g', redirect = 'r', bad = 'b', unasked = 'u' };

struct Look {
    State state = State::bad;
    int status = 0;
    std::string digest;
};

std::string to_line(const Outcome& entry, Side side) {
    State state = State::bad;
    if (entry.ending == Ending::redirect) state = State::redirect;
    if (entry.ending == Ending::skipped || entry.ending == Ending::denied) state = State::unasked;
    if (entry.ending == Ending::fetched && (entry.status == 200 || entry.is_unchanged)) {
        state = State::good;
    }
    return fmt::format("{}\t{}{}{}\t{}\n", entry.url, static_cast<char>(side),
                       static_cast<char>(state), entry.status, entry.digest);
}

bool is_one_cell(std::string_view text) {
    return !text.contains('\t') && !text.contains('\n');
}

struct Line {
    std::string_view url;
    Side side;
    Look look;
};

Line parse_line(std::string_view text) {
    text.remove_suffix(1);
    const std::size_t tab = text.find('\t');
    const std::size_t second = text.find('\t', tab + 1);
    Line line{text.substr(0, tab), static_cast<Side>(text[tab + 1]), {}};
    line.look.state = static_cast<State>(text[tab + 2]);
    const std::string_view status = text.substr(tab + 3, second - tab - 3);
    std::from_chars(status.data(), status.data() + status.size(), line.look.status);
    line.look.digest = text.substr(second + 1);
    return line;
}

// How a page changed. Empty if it was good in neither crawl.
std::optional<Change> change_between(const std::optional<Look>& before,
                                     const std::optional<Look>& after, bool is_finished) {
    const bool was_good = before && before->state == State::good;
    const bool is_good = after && after->state == State::good;
    if (was_good && is_good) {
        return before->digest == after->digest ? Change::unchanged : Change::changed;
    }
    if (is_good) return Change::fresh;
    if (!was_good) return std::nullopt;
    if (!after) return is_finished ? Change::missing : Change::unasked;
    if (after->state == State::unasked) return Change::unasked;
    return after->state == State::redirect ? Change::moved : Change::gone;
}

void add_pages(aio::FileSystem& files, const std::filesystem::path& folder, Side side,
               archive::LineSorter& sorter) {
    const std::unique_ptr<aio::File> pages =
        files.inside(folder)->open(folder / "pages" / "pages.jsonl", aio::OpenMode::read);
    archive::read_pages(*pages, [&](const Outcome& entry) {
        // A log that we wrote has neither in them, but it may be somebody else's.
        if (is_one_cell(entry.url) && is_one_cell(entry.digest)) sorter.add(to_line(entry, side));
    });
}

std::string_view heading(Change change) {
    switch (change) {
        case Change::fresh: return "New";
        case Change::changed: return "Changed";
        case Change::unchanged: return "Unchanged";
        case Change::moved: return "Moved";
        case Change::gone: return "Gone";
        case Change::missing: return "Missing: no page leads there any more";
        case Change::unasked: return "Not asked for: a limit, robots.txt, or not reached yet";
    }
    std::unreachable();
}

}  // namespace

std::string_view name(Change change) {
    switch (change) {
        case Change::fresh: return "new";
        case Change::changed: return "changed";
        case Change::unchanged: return "unchanged";
        case Change::moved: return "moved";
        case Change::gone: return "gone";
        case Change::missing: return "missing";
        case Change::unasked: return "unasked";
    }
    std::unreachable();
}

ChangeCounts compare_crawls(aio::FileSystem& files, const std::filesystem::path& before,
                            const std::filesystem::path& after, bool is_finished,
                            const std::function<void(const PageChange&)>& take) {
    const std::unique_ptr<aio::FileSystem> inside = files.inside(after);
    archive::LineSorter sorter(*inside, after / "reports" / "comparing");
    add_pages(files, before, Side::before, sorter);
    add_pages(files, after, Side::after, sorter);
    ChangeCounts counts{};
    std::string url;
    std::optional<Look> old_look;
    std::optional<Look> new_look;
    const auto end_page = [&] {
        if (const auto change = change_between(old_look, new_look, is_finished)) {
            ++counts[static_cast<std::size_t>(*change)];
            take({.url = url,
                  .change = *change,
                  .status_before = old_look ? old_look->status : 0,
                  .status_after = new_look ? new_look->status : 0});
        }
        old_look.reset();
        new_look.reset();
    };
    sorter.finish([&](std::string_view text) {
        Line line = parse_line(text);
        if (line.url != url) {
            end_page();
            url = line.url;
        }
        (line.side == Side::before ? old_look : new_look) = std::move(line.look);
    });
    end_page();
    return counts;
}

std::string report_changes(aio::FileSystem& files, const std::filesystem::path& before,
                           const std::filesystem::path& after, bool is_finished) {
    const std::filesystem::path path = after / "reports" / "changes.jsonl";
    const std::unique_ptr<aio::FileSystem> inside = files.inside(after);
    inside->remove(path);
    const std::unique_ptr<aio::File> out = inside->open(path, aio::OpenMode::create);
    std::string pending;
    std::array<std::string, kChanges.size()> shown;
    std::array<std::size_t, kChanges.size()> shown_count{};
    const ChangeCounts counts =
        compare_crawls(files, before, after, is_finished, [&](const PageChange& page) {
            if (page.change == Change::unchanged) return;
            pending += fmt::format(R"({{"url":"{}","change":"{}","before":{},"after":{}}})"
                                   "\n",
                                   escape_for_json(page.url), name(page.change), page.status_before,
                                   page.status_after);
            if (pending.size() >= kChangesBatchBytes) out->append(std::exchange(pending, {}));
            const auto kind = static_cast<std::size_t>(page.change);
            if (++shown_count[kind] > kShownMax) return;
            shown[kind] += fmt::format("  {}", escape_for_terminal(page.url));
            if (page.change == Change::gone || page.change == Change::moved) {
                shown[kind] +=
                    page.status_after == 0 ? "  no answer" : fmt::format("  {}", page.status_after);
            }
            shown[kind] += '\n';
        });
    out->append(pending);
    out->sync();

    std::string text = fmt::format("Since {}:", escape_for_terminal(before.string()));
    for (const Change change : kChanges) {
        if (change == Change::unasked && counts[static_cast<std::size_t>(change)] == 0) continue;
        text += fmt::format("{} {} {}", change == Change::fresh ? "" : ",",
                            counts[static_cast<std::size_t>(change)], name(change));
    }
    text += '\n';
    for (const Change change : kChanges) {
        const auto kind = static_cast<std::size_t>(change);
        if (shown[kind].empty()) continue;
        text += fmt::format("\n{} ({})\n{}", heading(change), counts[kind], shown[kind]);
        if (counts[kind] > kShownMax) {
            text +=
                fmt::format("  and {} more in reports/changes.jsonl\n", counts[kind] - kShownMax);
        }
    }
    inside->write_all(after / "reports" / "changes.txt", text);
    return text;
}

}  // namespace weft::crawl
