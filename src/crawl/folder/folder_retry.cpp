#include "crawl/folder/folder_retry.h"

#include <algorithm>

#include "aio/loop/loop.h"
#include "archive/index/page_reader.h"
#include "crawl/folder/folder.h"
#include "crawl/scope/admission.h"
#include "crawl/scope/refusal.h"
#include "crawl/scope/scope.h"
#include "web/url/canonical.h"

// Failed URLs are asked for again. The list of them, state/retry.jsonl, is what makes it one step:
// from the moment it is there, everything below is done, by a later run if need be, and each part
// may be done twice.
namespace weft::crawl {

using aio::Co;

namespace {

constexpr std::size_t kBatchCount = 1'000;         // URLs in one push to the frontier.
constexpr std::size_t kRetryBatchBytes = 256_KiB;  // Bytes in one write.

// Whether the URL was skipped because a budget was spent: the budget may be larger now. Relies on
// the order of the enumerators of Refusal.
bool is_over_budget(const Outcome& entry) {
    const std::optional<Refusal> rule = refusal_named(entry.failure);
    return entry.ending == Ending::skipped && rule && *rule >= Refusal::pattern_pages &&
           *rule <= Refusal::domain_time;
}

// Whether another try may have another result.
bool may_go_better(const Outcome& entry, const Config& config) {
    const std::vector<int>& passing = config.retry_statuses;
    const bool may_pass = is_over_budget(entry) || entry.ending == Ending::failed ||
                          std::ranges::find(passing, entry.status) != passing.end();
    return may_pass && web::Url::parse(entry.url).has_value();  // The page log may be damaged.
}

using LineRule = std::function<bool(const Outcome&, std::string_view line)>;

// Copies the wanted lines of a page log, with its format line, and returns their number. The copy
// gets its name last, so `to` is either complete or untouched; it may be `from` itself.
std::size_t copy_lines(aio::FileSystem& files, const std::filesystem::path& from,
                       const std::filesystem::path& to, const LineRule& is_wanted) {
    const std::filesystem::path unfinished = to.string() + ".new";
    files.remove(unfinished);
    const auto source = files.open(from, aio::OpenMode::read);
    const auto target = files.open(unfinished, aio::OpenMode::create);
    std::string lines(archive::kPagesFormatLine);
    std::size_t count = 0;
    archive::read_page_lines(*source, [&](const Outcome& entry, std::string_view line) {
        if (!is_wanted(entry, line)) return;
        ++count;
        lines += line;
        if (lines.size() < kRetryBatchBytes) return;
        target->append(lines);
        lines.clear();
    });
    target->append(lines);
    target->sync();
    files.rename(unfinished, to);
    files.sync_directory(to.parent_path());
    return count;
}

// The candidate of a URL that is queued again. Its key includes the date of the failure: the seen
// set does not know that key, so the URL passes; and after a crash, pushing it twice does no harm.
std::optional<frontier::Candidate> candidate_of(const Outcome& entry, const Config& config,
                                                const Scope& scope) {
    const auto url = web::Url::parse(entry.url);
    if (!url) return std::nullopt;
    // The page log does not keep the trail, so it is restored as far as the outcome tells.
    Trail trail{.depth = entry.depth, .via = entry.via, .redirects_left = config.redirects_left()};
    trail.is_seed_way = entry.depth == 0 && (entry.via == Via::seed || entry.via == Via::redirect);
    if (entry.via == Via::requisite) trail.requisite_hops = 1;
    if (!scope.is_in_place(*url) && trail.requisite_hops == 0) {
        trail.extra_hops = static_cast<std::uint8_t>(config.extra_hops);
    }
    std::string key = web::canonical_key(*url) + "\n" + to_iso8601(entry.date, 6);
    return make_candidate(*url, trail, std::move(key), entry.referrer);
}

}  // namespace

Co<std::size_t> CrawlFolder::retry_failed(const Config& config) {
    co_await frontier_->checkpoint();  // Now the page log is complete: no line is only in the log
                                       // of commits.
    aio::FileSystem& files = *files_;
    const std::size_t count = copy_lines(
        files, path_ / "pages/pages.jsonl", path_ / kRetryListName,
        [&](const Outcome& entry, std::string_view) { return may_go_better(entry, config); });
    if (count == 0) {
        files.remove(path_ / kRetryListName);
        co_return 0;
    }
    co_return co_await finish_retry(config);
}

// Completes retry_failed(), also after a crash. Each step may be repeated: lines that are gone are
// not removed again, and the frontier ignores keys that it has seen. The list is removed only after
// a checkpoint covers the shorter page log and the queued URLs.
Co<std::size_t> CrawlFolder::finish_retry(const Config& config) {
    aio::FileSystem& files = *files_;
    if (!files.exists(path_ / kRetryListName)) co_return 0;
    const Scope scope(config);
    std::vector<frontier::Candidate> waiting;
    std::unordered_set<std::string> listed;
    const auto list = files.open(path_ / kRetryListName, aio::OpenMode::read);
    archive::read_page_lines(*list, [&](const Outcome& entry, std::string_view line) {
        auto candidate = candidate_of(entry, config, scope);
        if (!candidate) return;  // A damaged line stays where it is.
        waiting.push_back(*std::move(candidate));
        listed.emplace(line);
    });
    drop_from_page_log(listed);
    const std::size_t count = waiting.size();
    for (std::size_t begin = 0; begin < count; begin += kBatchCount) {
        const auto first = waiting.begin() + static_cast<std::ptrdiff_t>(begin);
        const auto last = first + static_cast<std::ptrdiff_t>(std::min(kBatchCount, count - begin));
        co_await frontier_->push({std::make_move_iterator(first), std::make_move_iterator(last)});
    }
    co_await frontier_->checkpoint();
    files.remove(path_ / kRetryListName);
    files.sync_directory(path_ / "state");
    co_return count;
}

void CrawlFolder::drop_from_page_log(const std::unordered_set<std::string>& lines) {
    aio::FileSystem& files = *files_;
    const std::filesystem::path pages = path_ / "pages/pages.jsonl";
    page_log_->flush();
    copy_lines(files, pages, pages, [&](const Outcome&, std::string_view line) {
        return !lines.contains(std::string(line));
    });
    page_log_.emplace(files, pages);
    // The lines have moved: the old rows would lead to other pages.
    files.remove(path_ / PageIndex::kName);
    page_index_.emplace(files, path_ / PageIndex::kName, page_log_->size());
}

}  // namespace weft::crawl
