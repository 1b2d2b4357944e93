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
#include "base/random.h"
#include "base/units.h"

namespace weft::archive {

// Where a record is: the file's name, and the place of its member in it: gzip member,
// zstd frame, or header and block.
struct Position {
    std::string file;
    std::uint64_t offset = 0;
    std::uint64_t length = 0;
};

// One request and its answer, owning its bytes: what a writer on another thread needs.
struct Capture {
    std::string target_uri;
    WallTime date;
    std::string ip_address;
    std::vector<std::string> protocols;
    std::string cipher_suite;
    std::string request;             // Head and body as sent, but for these.
    std::string removed_fields;      // As in RecordFields.
    std::string response;            // As received.
    std::size_t response_begin = 0;  // Of the final head in `response` (after interim ones)
    std::size_t response_body = 0;   // and of the body behind it.
    Truncated truncated = Truncated::no;

    // What an earlier crawl has stored for this address. The answer becomes a revisit of it if it
    // is a 304, or has the same payload ("sha1:…", empty: not known).
    std::optional<Original> earlier;
    std::string earlier_digest;

    // Neither a revisit of another nor what another is a revisit of.
    bool stands_alone = false;

    // It is committed together with the one before: in the same file, even if that is full.
    bool stays_in_file = false;

    // What a metadata record says besides: "via", "fetchTimeMs" and the like. None: no such record.
    std::vector<std::pair<std::string, std::string>> metadata;
};

// What one exchange has become.
struct Written {
    Position response;        // The response or revisit record,
    std::uint64_t end = 0;    // and where the last record of the exchange ends, in the same file.
    bool is_revisit = false;  // The same payload was written before and is not again.
    std::string payload_digest;
};

// A capture that a writer was told of before it is to write it.
class AnnouncedCapture;

struct WarcOptions {
    std::string prefix = "weft";      // Files are prefix-timestamp-00000.warc.gz.
    Packing packing = Packing::gzip;  // Of each record for itself.
    std::uint64_t bytes_max = 1_GiB;  // A file is closed when it has grown past this.
    unsigned first_number = 0;        // Of the first file; those before are of an earlier run.

    // So many payloads are remembered; one that comes again is written as a revisit. 0: none.
    std::size_t payload_count_max = 100'000;

    // The warcinfo record: software, operator, robots policy and the like.
    std::vector<std::pair<std::string, std::string>> info;
};

// Writes the records of a crawl into files of a directory, compressed and off the loop's thread.
// Each file begins with a warcinfo record. Records of one exchange stand together, the response
// first. A payload that was written before (of an answer 200, whole) becomes a revisit record.
//
// Used on one loop; write() may be called by many tasks at once. A write that was begun is finished
// even if its task is cancelled.
class WarcWriter {
public:
    // `files`: where the directory is; null: among the loop's files. Throws IoError if the
    // directory cannot be made.
    WarcWriter(std::filesystem::path directory, WarcOptions options,
               std::shared_ptr<aio::FileSystem> files = nullptr);
    ~WarcWriter();

    // Gives the position of the response record. Throws IoError: what was written before is safe.
    aio::Co<Position> write(Capture capture);

    // Tells of a capture that is written soon, if nothing comes between: the digests of several are
    // taken together, which is cheaper. From any thread.
    std::shared_ptr<AnnouncedCapture> announce(Capture capture);

    // Writes it on the calling thread, whichever it is.
    Written write_now(AnnouncedCapture& capture);
    Written write_now(Capture capture);

    // Tells of a payload that an earlier run has stored: the same becomes a revisit of it, as if
    // this writer had written it. From any thread.
    void remember(const std::string& payload_digest, Original original);

    // Everything written survives a loss of power.
    aio::Co<> sync();

private:
    struct State;
    std::shared_ptr<State> state_;  // Shared with writes under way.
};

}  // namespace weft::archive
