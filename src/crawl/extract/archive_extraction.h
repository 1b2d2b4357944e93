#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "aio/loop/executor.h"
#include "aio/task/co.h"
#include "base/units.h"
#include "crawl/extract/candidate_reader.h"
#include "crawl/extract/extract_output.h"
#include "crawl/extract/unique_pages.h"
#include "extract/extractor.h"
#include "web/url/pattern.h"

namespace weft::crawl {

struct ExtractionOptions {
    extract::Wishes wishes;
    std::vector<web::Pattern> include;  // A page's URL must match one of these, if there are any,
    std::vector<web::Pattern> exclude;  // and none of these.
    bool is_unique = false;             // Copies of a page before are left out.
    unsigned thread_count = 1;
};

struct ExtractionNumbers {
    std::uint64_t bytes = 0;  // Read, of bytes_total.
    std::uint64_t bytes_total = 0;
    std::uint64_t record_count = 0;  // Of all types.
    std::uint64_t page_count = 0;    // With copies.
    std::uint64_t row_count = 0;     // Of pages that are no copies.
    std::uint64_t copy_count = 0;    // Left out.
    std::uint64_t damage_count = 0;
};

// Reads the pages of WARC files, extracts, and gives the results to an output in the order of the
// archive. One thread reads and unpacks records; `thread_count` threads extract, a batch of records
// at a time. With one thread everything happens on the loop's thread.
//
// Memory: some batches for each thread, of kBatchBytes and one record, at most kHeldBytesMax and
// one batch in all; and an Extractor for each thread.
//
// Constructed before the loop, and destroyed after it: jobs that have begun run to their end.
class ArchiveExtraction {
public:
    static constexpr std::size_t kBatchBytes = 1_MiB;
    static constexpr std::size_t kBatchRecords = 32;
    static constexpr std::size_t kHeldBytesMax = 256_MiB;

    // `tell` gets a message for each damaged place, on the loop's thread. The output outlives this
    // object.
    ArchiveExtraction(std::vector<PageInput> inputs, ExtractionOptions options,
                      ExtractOutput& output, std::function<void(const std::string&)> tell);
    ~ArchiveExtraction();

    // To the end of the inputs; then finishes the output. Throws IoError.
    aio::Co<> run();

    // Changes while run() runs, between its steps.
    const ExtractionNumbers& numbers() const { return numbers_; }

private:
    struct Batch {
        std::vector<PageCandidate> records;
        std::size_t bytes = 0;
        std::vector<std::string> damages;
        std::uint64_t bytes_read = 0;
        std::uint64_t record_count = 0;
        bool is_last = false;
    };
    struct MadePage {
        std::string url;  // Empty: the record holds no page.
        std::string bytes;
        std::uint64_t row_count = 0;
        std::uint64_t text_hash = 0;
        std::uint64_t simhash = 0;
        std::size_t word_count = 0;
        std::string damage;
    };
    struct MadeBatch {
        std::vector<MadePage> pages;
        Batch source;  // Without the records.
    };

    bool wants(const std::string& url) const;
    Batch read_batch();
    MadeBatch make(Batch batch);
    MadePage make_page(const PageCandidate& record, PageWorker& worker) const;
    std::unique_ptr<PageWorker> take_worker();
    void give_back(std::unique_ptr<PageWorker> worker);
    aio::Co<Batch> read();
    aio::Co<MadeBatch> work(Batch batch);
    void write(const MadeBatch& batch);
    void note_damage(const std::string& what);

    ExtractionOptions options_;
    ExtractOutput& output_;
    std::function<void(const std::string&)> tell_;
    CandidateReader reader_;
    UniquePages unique_;
    ExtractionNumbers numbers_;

    std::mutex mutex_;  // Guards the two below.
    std::vector<std::unique_ptr<PageWorker>> idle_workers_;
    std::uint64_t seed_ = 0;  // Of the next worker's random numbers.

    // Last: their destructors wait for jobs, which use the members above.
    std::unique_ptr<aio::Executor> reading_;
    std::unique_ptr<aio::Executor> working_;
};

}  // namespace weft::crawl
