#include "frontier/made_crawl.h"

#include <algorithm>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "aio/sync/semaphore.h"
#include "aio/task/sleep.h"
#include "aio/task/task_group.h"
#include "base/hash.h"
#include "frontier/candidates.h"

namespace weft::frontier {

using aio::Co;

Candidate MadeWeb::page(std::uint64_t host, std::uint64_t number) const {
    const auto priority = static_cast<std::uint8_t>(number % 3);
    return candidate(fmt::format("h{}.test", host), fmt::format("/{}", number), priority);
}

std::vector<Candidate> MadeWeb::seeds() const {
    return {page(0, 0), page(1 % host_count, 1)};
}

std::vector<Candidate> MadeWeb::links(const std::string& url) const {
    Random random(hash64(url, seed));
    std::vector<Candidate> found;
    for (std::size_t i = 0; i < link_count; ++i) {
        found.push_back(page(random.below(host_count), random.below(page_count)));
    }
    return found;
}

bool MadeWeb::fails(const Visit& visit) const {
    return visit.attempt < 4 && hash64(visit.candidate.url, seed + visit.attempt) % 5 == 0;
}

std::set<std::string> MadeWeb::truth() const {
    std::set<std::string> known;
    std::vector<Candidate> open = seeds();
    while (!open.empty()) {
        const std::string url = open.back().url;
        open.pop_back();
        if (!known.insert(url).second) continue;
        std::ranges::move(links(url), std::back_inserter(open));
    }
    return known;
}

DiskOptions MadeCrawl::options() {
    DiskOptions options;
    options.max_per_host = 3;
    options.memory_bytes = memory_bytes;
    options.sync = sync_mode;
    options.crawl_files = this;
    return options;
}

void MadeCrawl::add_outcome(std::string_view outcome) {
    ++ended_[std::string(outcome)];
    const std::string line = fmt::format("{} \n", outcome);
    if (is_mended_) {
        page_log_->append(line);
    } else {
        recovered_lines_ += line;
    }
}

Co<> MadeCrawl::sync() {
    archive_->sync();
    page_log_->sync();
    side_->sync();
    co_return;
}

// How often each URL ended.
std::string MadeCrawl::save() {
    std::string lines;
    for (const auto& [url, count] : ended_) lines += fmt::format("{} {}\n", url, count);
    return lines;
}

bool MadeCrawl::holds(std::string_view file, std::uint64_t size) {
    return files_.open(folder / file, aio::OpenMode::read)->size() >= size;
}

// Cuts what is not committed off the archive and the page log, and appends the lines of the page
// log that may be missing.
void MadeCrawl::mend(const Recovered& recovered) {
    const auto place = recovered.archived.find("warc");
    archive_->truncate(
        place == recovered.archived.end() ? 0 : place->second.offset + place->second.length);
    std::string_view lines = recovered.saved;
    std::uint64_t saved_size = 0;
    while (!lines.empty()) {
        const std::string_view line = lines.substr(0, lines.find('\n'));
        lines.remove_prefix(line.size() + 1);
        ended_[std::string(line.substr(0, line.find(' ')))] += line.back() - '0';
        saved_size += line.size();  // In the page log a line break is in the number's place.
    }
    EXPECT_GE(page_log_->size(), saved_size);
    page_log_->truncate(saved_size);
    page_log_->append(recovered_lines_);
    is_mended_ = true;
    const auto side = recovered.sides.find("text");
    side_->truncate(side == recovered.sides.end() ? 0 : side->second);
    side_->sync();
    archive_->sync();  // Else a loss of power could bring back what was cut.
    page_log_->sync();
}

namespace {

// Appended by the commit, as the text of a page is.
class SideLine final : public PageToWrite {
public:
    SideLine(std::shared_ptr<aio::File> file, std::string line)
        : file_(std::move(file)), line_(std::move(line)) {}

    void write(Completion& completion) override {
        file_->append(line_);
        completion.sides.push_back({"text", file_->size()});
    }

private:
    std::shared_ptr<aio::File> file_;
    std::string line_;
};

}  // namespace

Co<> MadeCrawl::run() {
    ended_.clear();
    recovered_lines_.clear();
    is_mended_ = false;
    archive_ = files_.open(folder / "warc", aio::OpenMode::append);
    page_log_ = files_.open(folder / "pages", aio::OpenMode::append);
    side_ = files_.open(folder / "text", aio::OpenMode::append);
    files_.sync_directory(folder);
    const std::unique_ptr<DiskFrontier> frontier =
        co_await DiskFrontier::open(folder / "state", options());
    mend(frontier->recovered());
    for (const std::string& url : acknowledged_) {
        if (keeps_acknowledged) EXPECT_TRUE(ended_.contains(url)) << url;
    }
    co_await frontier->push(web_.seeds());
    aio::Semaphore places(8);
    co_await aio::task_group([&](aio::TaskGroup& group) -> Co<> {
        for (;;) {
            aio::Semaphore::Permit permit = co_await places.acquire();
            std::optional<Visit> next = co_await frontier->next();
            if (!next) co_return;
            group.create_task(
                [](MadeCrawl& self, Frontier& f, Visit v, aio::Semaphore::Permit held) -> Co<> {
                    static_cast<void>(held);
                    co_await self.visit(f, std::move(v));
                }(*this, *frontier, *std::move(next), std::move(permit)));
        }
    });
    counts_ = frontier->counts();
    co_await frontier->finish();
}

Co<> MadeCrawl::visit(Frontier& frontier, Visit visit) {
    check_counts(frontier);
    co_await aio::sleep(up_to(fetch_time_max));
    Completion completion{.visit_id = visit.id};
    const std::string& url = visit.candidate.url;
    if (web_.fails(visit)) {
        completion.retry_at = now() + up_to(retry_time_max);
        co_await frontier.complete(std::move(completion));
        co_return;
    }
    completion.host_ready_at = now() + up_to(host_time_max);
    completion.found = web_.links(url);
    completion.outcome = url;
    completion.archived = {"warc", archive_->size(), url.size() + 1};
    archive_->append(url + "\n");
    completion.page = std::make_shared<SideLine>(side_, url + "\n");
    co_await frontier.complete(std::move(completion));
    acknowledged_.insert(url);
    check_counts(frontier);
}

Duration MadeCrawl::up_to(Duration max) {
    return Duration(random_.below(static_cast<std::uint64_t>(max.count()) + 1));
}

void MadeCrawl::check_counts(const Frontier& frontier) {
    const Counts counts = frontier.counts();
    EXPECT_EQ(counts.seen, counts.waiting + counts.lent + counts.done);
}

std::string MadeCrawl::complaint() {
    std::string wrong;
    const std::set<std::string> truth = web_.truth();
    for (const std::string& url : truth) {
        if (!ended_.contains(url)) wrong += fmt::format("lost {}\n", url);
    }
    for (const auto& [url, count] : ended_) {
        if (count != 1) wrong += fmt::format("{} ended {} times\n", url, count);
    }
    if (ended_.size() != truth.size()) {
        wrong += fmt::format("{} of {} pages ended\n", ended_.size(), truth.size());
    }
    if (counts_.seen != truth.size() || counts_.done != truth.size()) {
        wrong += fmt::format("counted: {} seen, {} done\n", counts_.seen, counts_.done);
    }
    for (const char* name : {"warc", "pages", "text"}) {
        std::map<std::string, int> lines;
        std::string_view text;
        const std::string bytes = files_.read_all(folder / name, 100_MiB);
        for (text = bytes; text.find('\n') != text.npos; text.remove_prefix(text.find('\n') + 1)) {
            std::string_view line = text.substr(0, text.find('\n'));
            if (line.ends_with(' ')) line.remove_suffix(1);
            ++lines[std::string(line)];
        }
        if (lines != ended_) wrong += fmt::format("{} does not agree\n", name);
    }
    return wrong;
}

}  // namespace weft::frontier
