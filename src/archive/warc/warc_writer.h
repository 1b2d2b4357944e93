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

// One request and its response. It owns its bytes, so that another thread can write it.
struct Capture {
    std::string target_uri;
    WallTime date;
    std::string ip_address;
    std::vector<std::string> protocols;
    std::string cipher_suite;
    std::string request;             // Head and body as sent, without these values:
    std::string removed_fields;      // As in RecordFields.
    std::string response;            // As received.
    std::size_t response_begin = 0;  // Where in `response` the final head begins (after interim
    std::size_t response_body = 0;   // heads), and where the body begins.
    Truncated truncated = Truncated::no;

    // What an earlier crawl has stored for this URL, and the digest of its payload ("sha1:…";
    // empty: not known). The response becomes a revisit of it if it is a 304 or has the same
    // payload.
    std::optional<Original> earlier;
    std::string earlier_digest;

    // This capture is not compared with others: it becomes no revisit of them, nor they of it.
    bool stands_alone = false;

    // The capture is committed together with the one before, so it goes into the same file, even if
    // that is full.
    bool stays_in_file = false;

    // The fields of the metadata record: "via", "fetchTimeMs" and the like. Empty: no such record.
    std::vector<std::pair<std::string, std::string>> metadata;
};

// Where and how one exchange was written.
struct Written {
    ArchivePlace response;    // Of the response or revisit record.
    std::uint64_t end = 0;    // Where the last record of the exchange ends, in the same file.
    bool is_revisit = false;  // The payload was stored before and is not stored again.
    std::string payload_digest;
};

// A capture that was announced to a writer before it is written; see WarcWriter::announce().
class AnnouncedCapture;

struct WarcOptions {
    std::string prefix = "weft";      // Files are prefix-timestamp-00000.warc.gz.
    Packing packing = Packing::gzip;  // Each record is packed separately.
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
// Constructed and destroyed on one loop. Many tasks may call write() at once; a lock lets one write
// at a time. A write that has begun is finished even if its task is cancelled. Written records are
// safe from a loss of power only after sync(), or when their file is full.
class WarcWriter {
public:
    // `files` contains the directory; null: the loop's files. Throws IoError if the directory
    // cannot be created.
    WarcWriter(std::filesystem::path directory, WarcOptions options,
               std::shared_ptr<aio::FileSystem> files = nullptr);
    ~WarcWriter();

    // Writes on an executor thread and returns the position of the response record. Throws IoError;
    // records written before stay intact, and the next write begins a new file.
    aio::Co<ArchivePlace> write(Capture capture);

    // Announces a capture that will probably be written soon. The digests of several announced
    // captures are computed together, which is cheaper. Dropping the result withdraws it. From any
    // thread.
    std::shared_ptr<AnnouncedCapture> announce(Capture capture);

    // Writes on the calling thread, and blocks. From any thread.
    Written write_now(AnnouncedCapture& capture);
    Written write_now(Capture capture);

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
