#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "archive/index/page_entry.h"

namespace weft::archive {

// Bytes of a file, from `begin` up to `end`.
struct ByteRange {
    std::uint64_t begin = 0;
    std::uint64_t end = 0;

    std::uint64_t size() const { return end - begin; }
};

// Appends them to another, in pieces. Throws IoError.
void copy_bytes(aio::File& from, ByteRange range, aio::File& to);

// An answer that a file holds, whole and with the digests it says.
struct GoodAnswer {
    std::uint64_t old_offset = 0;  // Where it is in the file.
    PageEntry entry;  // What the records tell of the page; its place is that among good records.
};

// What a scan has found.
struct WarcScan {
    std::vector<ByteRange> good;     // The parts that hold good records, in order.
    std::vector<ByteRange> damaged;  // All others.
    std::uint64_t record_count = 0;  // Good ones, of any type.

    std::uint64_t damaged_bytes() const;
};

// What is known of a file before it is read.
struct WarcKnown {
    // Where records begin that the crawl's own logs speak of, in order: those are the file's.
    std::vector<std::uint64_t> places;
};

// Reads a WARC file of a crawl whatever happened to it and gives its good answers to `take`, in
// order: those of whole records with the right digests. Behind damage it looks for the next record.
// Nothing is changed. The time is linear in the size of the file. Throws IoError.
//
// A page may hold what looks like a record; where the record around it is damaged, that must not
// become a page. So a record counts only if it names the file's warcinfo record
// (WARC-Warcinfo-ID), whose random id no page can know. The id is what most of the file's first
// records and of those that `known` tells of say, else what the first record says that is found.
WarcScan scan_warc(aio::File& file, const std::string& name, const WarcKnown& known,
                   const std::function<void(const GoodAnswer&)>& take);

}  // namespace weft::archive
