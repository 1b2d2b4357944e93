#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "archive/index/outcome.h"

namespace weft::archive {

// A range of bytes of a file, from `begin` up to but not including `end`.
struct FileSpan {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    std::uint64_t size() const { return end - begin; }
};

// Appends a range of one file to another file, in pieces. Throws IoError.
void copy_bytes(aio::File& from, FileSpan range, aio::File& to);

// A response in a file that is complete and has the digests that its header says.
struct GoodAnswer {
    std::uint64_t old_offset = 0;  // Where it is in the file.

    // What the records say about the page. Its offset is that in a file of the good records alone.
    Outcome entry;
};

// The result of a scan.
struct WarcScan {
    std::vector<FileSpan> good;      // The ranges with good records, in order.
    std::vector<FileSpan> damaged;   // All other ranges.
    std::uint64_t record_count = 0;  // Good records of any type.

    std::uint64_t damaged_bytes() const;
};

// What is known about a file before it is read.
struct WarcKnown {
    // The offsets of records that the crawl's own logs name, in order. They surely belong to the
    // file.
    std::vector<std::uint64_t> places;
};

// Reads a WARC file of a crawl, however damaged, and calls `take` with its good responses, in
// order: those of complete records with the right digests. After damage it searches for the next
// record. It changes nothing. The time is linear in the size of the file. Throws IoError. Blocks:
// for use on an executor thread.
//
// A page may contain text that looks like a record. If the record around it is damaged, that text
// must not become a page. So a record counts only if it names the file's warcinfo record
// (WARC-Warcinfo-ID), whose random id no page can know. The id is the one that most of the file's
// first records and of the records in `known` name; if there are none, the id in the first record
// that is found.
WarcScan scan_warc(aio::File& file, const std::string& name, const WarcKnown& known,
                   const std::function<void(const GoodAnswer&)>& take);

}  // namespace weft::archive
