#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <utility>
#include <vector>

#include "aio/files/files.h"
#include "aio/loop/executor.h"
#include "aio/task/co.h"
#include "archive/warc/exchange.h"
#include "archive/warc/record_packer.h"
#include "base/archive_place.h"
#include "base/random.h"
#include "base/units.h"

namespace weft::archive {

// Where and how one exchange was written.
struct Written {
    ArchivePlace response;    // Of the response or revisit record.
    std::uint64_t end = 0;    // Where the last record of the exchange ends, in the same file.
    bool is_revisit = false;  // The payload was stored before and is not stored again.
    std::string payload_digest;
};

struct WarcOptions {
    std::string prefix = "weft";      // Files are prefix-timestamp-00000.warc.gz.
    Compression compression;          // Of each record separately.
    std::uint64_t bytes_max = 1_GiB;  // A file that has reached this size is closed.
    unsigned first_number = 0;        // The number of the first file; an earlier run wrote others.

    // How many payloads are remembered. A payload that comes again is written as a revisit. 0: no
    // revisits.
    std::size_t payload_count_max = 100'000;

    // The warcinfo record: software, operator, robots policy and the like.
    std::vector<std::pair<std::string, std::string>> info;
};

// Writes the records of a crawl into files of a directory, compressed, outside the loop's thread.
// Each file begins with a warcinfo record. The records of one exchange follow each other, the
// response first. A payload (of a complete 200) that was written before becomes a revisit record.
//
// Constructed and destroyed on one loop. Several threads may call write() at once; a lock lets one
// write at a time. Written records are safe from a loss of power only after sync(), or when their
// file is full.
class WarcWriter {
public:
    // `files` contains the directory; null: the loop's files. Throws IoError if the directory
    // cannot be created.
    WarcWriter(std::filesystem::path directory, WarcOptions options,
               std::shared_ptr<aio::FileSystem> files = nullptr);
    ~WarcWriter();

    // Announces a capture that will probably be written soon. The digests of several announced
    // captures are computed together, which is cheaper. Dropping the result withdraws it; until
    // then only write() may change it. From any thread.
    std::shared_ptr<Capture> announce(Capture capture);

    // Writes on the calling thread, and blocks. Fills in the digests of the capture. From any
    // thread. Throws IoError; records written before stay intact, and the next write begins a new
    // file. Throws Error if the capture cannot become a record.
    Written write(Capture& capture);

    // From now on write() may keep records in memory until flush(), at most kHeldBytesMax and one
    // exchange: the records of many small pages go into the file at once. What write() returns is
    // true after flush(). From any thread.
    void hold();

    // Writes the records that were kept, and ends hold(). Throws IoError: then all of them are
    // lost.
    void flush();

    // Small enough that the records are still in the processor's cache when they are written.
    static constexpr std::size_t kHeldBytesMax = 256_KiB;

    // Adds a payload that an earlier run has stored. If it comes again, it becomes a revisit, as if
    // this writer had written it. From any thread.
    void remember(const std::string& payload_digest, Original original);

    // After it returns, everything written before survives a loss of power.
    aio::Co<> sync();

private:
    struct State;
    std::shared_ptr<State> state_;  // Shared with writes under way.
};

}  // namespace weft::archive
