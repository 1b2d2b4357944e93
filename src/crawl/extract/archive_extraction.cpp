#include "crawl/extract/archive_extraction.h"

#include <algorithm>
#include <deque>
#include <utility>

#include <fmt/format.h>

#include "aio/loop/loop.h"
#include "aio/task/task_group.h"
#include "archive/index/lines.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "base/hash.h"

namespace weft::crawl {

using aio::Co;

namespace {

std::unique_ptr<aio::Executor> make_executor(unsigned thread_count, bool is_inline) {
    if (is_inline) return std::make_unique<aio::InlineExecutor>();
    return std::make_unique<aio::ThreadPool>(thread_count);
}

std::uint64_t total_size(const std::vector<PageInput>& inputs) {
    std::uint64_t size = 0;
    for (const PageInput& input : inputs) size += input.size;
    return size;
}

// The fields of an HTTP head that may reserve the use of a page.
std::vector<extract::NamedValue> fields_of(std::string_view head) {
    std::vector<extract::NamedValue> fields;
    while (!head.empty()) {
        const std::string_view line = archive::take_line(head);
        const std::size_t colon = std::min(line.find(':'), line.size());
        if (!extract::is_reservation_name(trim(line.substr(0, colon)))) continue;
        fields.push_back(
            {trim(line.substr(0, colon)), trim(line.substr(std::min(colon + 1, line.size())))});
    }
    return fields;
}

// A page cannot be published after it was fetched: later dates are mistakes.
std::chrono::sys_days last_day(const ArchivedPage& page) {
    if (page.date == WallTime()) return extract::Source().last_day;
    return std::chrono::floor<std::chrono::days>(page.date) + std::chrono::days(1);
}

}  // namespace

ArchiveExtraction::ArchiveExtraction(std::vector<PageInput> inputs, ExtractionOptions options,
                                     ExtractOutput& output,
                                     std::function<void(const std::string&)> tell)
    : options_(std::move(options)),
      output_(output),
      tell_(std::move(tell)),
      reader_(inputs, [this](const std::string& url) { return wants(url); }),
      reading_(make_executor(1, options_.thread_count == 1)),
      working_(make_executor(options_.thread_count, options_.thread_count == 1)) {
    numbers_.bytes_total = total_size(inputs);
}

ArchiveExtraction::~ArchiveExtraction() = default;

bool ArchiveExtraction::wants(const std::string& url) const {
    const auto matches = [&](const web::Pattern& pattern) { return pattern.matches(url); };
    if (std::ranges::any_of(options_.exclude, matches)) return false;
    return options_.include.empty() || std::ranges::any_of(options_.include, matches);
}

Co<> ArchiveExtraction::run() {
    Random& random = aio::EventLoop::running().random();
    seed_ = random();
    output_.begin(random);
    co_await aio::task_group([this](aio::TaskGroup& group) -> Co<> {
        const std::size_t batch_count_max = 2 * std::size_t{options_.thread_count} + 1;
        std::deque<aio::Task<MadeBatch>> under_way;  // In the order of the archive.
        std::deque<std::size_t> sizes;
        std::size_t held_bytes = 0;
        aio::Task<Batch> reading = group.create_task(read());
        for (bool has_more = true; has_more || !under_way.empty();) {
            if (has_more && under_way.size() < batch_count_max && held_bytes < kHeldBytesMax) {
                Batch batch = co_await std::move(reading);
                has_more = !batch.is_last;
                // The next batch is read while this one is worked on.
                if (has_more) reading = group.create_task(read());
                held_bytes += batch.bytes;
                sizes.push_back(batch.bytes);
                under_way.push_back(group.create_task(work(std::move(batch))));
                continue;
            }
            const MadeBatch made = co_await std::move(under_way.front());
            under_way.pop_front();
            held_bytes -= sizes.front();
            sizes.pop_front();
            write(made);
        }
    });
    output_.finish();
}

Co<ArchiveExtraction::Batch> ArchiveExtraction::read() {
    co_return co_await aio::run_in(*reading_, [this] { return read_batch(); });
}

ArchiveExtraction::Batch ArchiveExtraction::read_batch() {
    Batch batch;
    while (batch.bytes < kBatchBytes && batch.records.size() < kBatchRecords) {
        auto record = reader_.next();
        if (!record) {
            batch.is_last = true;
            break;
        }
        batch.bytes += record->block.size();
        batch.records.push_back(*std::move(record));
    }
    batch.damages = reader_.take_damages();
    batch.bytes_read = reader_.bytes_read();
    batch.record_count = reader_.record_count();
    return batch;
}

Co<ArchiveExtraction::MadeBatch> ArchiveExtraction::work(Batch batch) {
    co_return co_await aio::run_in(
        *working_, [this, taken = std::move(batch)]() mutable { return make(std::move(taken)); });
}

ArchiveExtraction::MadeBatch ArchiveExtraction::make(Batch batch) {
    std::unique_ptr<PageWorker> worker = take_worker();
    MadeBatch made;
    for (const PageCandidate& record : batch.records)
        made.pages.push_back(make_page(record, *worker));
    give_back(std::move(worker));
    batch.records.clear();
    made.source = std::move(batch);
    return made;
}

ArchiveExtraction::MadePage ArchiveExtraction::make_page(const PageCandidate& record,
                                                         PageWorker& worker) const {
    MadePage made;
    const auto page = open_page(record);
    if (!page) {
        if (!page.error().empty()) made.damage = fmt::format("{}: {}", record.place, page.error());
        return made;
    }
    const std::vector<extract::NamedValue> headers = fields_of(page->head);
    extract::Source source{.html = page->html,
                           .content_type = page->content_type,
                           .url = page->url,
                           .headers = headers,
                           .last_day = last_day(*page)};
    if (record.terms) {
        source.robots = record.terms->robots;
        source.tdm = &record.terms->tdm;
    }
    const extract::Extract* extract = &worker.extractor.read(source);
    extract::Extract marked;
    if (page->is_cut) {
        marked = *extract;
        marked.cut.page = true;
        extract = &marked;
    }
    made.url = page->url;
    made.row_count = extract->rows.size();
    if (options_.is_unique && !extract->text.empty()) {
        made.text_hash = hash64(extract->text, secret_seed());
        made.simhash = extract->simhash;
        made.word_count = extract->simhash_word_count;
    }
    try {
        output_.make(*page, *extract, worker, made.bytes);
    } catch (const Error& error) {
        made.damage = fmt::format("{}: {}", record.place, error.what());
    }
    return made;
}

std::unique_ptr<PageWorker> ArchiveExtraction::take_worker() {
    std::uint64_t seed = 0;
    {
        const std::lock_guard lock(mutex_);
        if (!idle_workers_.empty()) {
            std::unique_ptr<PageWorker> worker = std::move(idle_workers_.back());
            idle_workers_.pop_back();
            return worker;
        }
        seed = ++seed_;
    }
    return std::make_unique<PageWorker>(options_.wishes, seed);
}

void ArchiveExtraction::give_back(std::unique_ptr<PageWorker> worker) {
    const std::lock_guard lock(mutex_);
    idle_workers_.push_back(std::move(worker));
}

void ArchiveExtraction::write(const MadeBatch& batch) {
    numbers_.bytes = batch.source.bytes_read;
    numbers_.record_count = batch.source.record_count;
    for (const std::string& damage : batch.source.damages) note_damage(damage);
    for (const MadePage& page : batch.pages) {
        if (!page.damage.empty()) note_damage(page.damage);
        if (page.url.empty()) continue;
        ++numbers_.page_count;
        if (options_.is_unique && !unique_.add(page.text_hash, page.simhash, page.word_count)) {
            ++numbers_.copy_count;
            continue;
        }
        numbers_.row_count += page.row_count;
        if (!page.bytes.empty()) output_.write(page.url, page.bytes);
    }
}

void ArchiveExtraction::note_damage(const std::string& what) {
    ++numbers_.damage_count;
    tell_(what);
}

}  // namespace weft::crawl
