#pragma once

#include <cstdint>
#include <string>
#include <string_view>

#include "archive/warc/record_packer.h"
#include "base/random.h"
#include "crawl/extract/archived_page.h"
#include "extract/extractor.h"

namespace weft::crawl {

// What a thread needs to read pages. Only one thread uses it at a time.
struct PageWorker {
    PageWorker(const extract::Wishes& wishes, std::uint64_t seed)
        : extractor(wishes), packer(archive::Compression()), random(seed) {}

    extract::Extractor extractor;
    archive::RecordPacker packer;
    Random random;
};

// Takes bytes one after the other: a file, or standard output.
class ByteSink {
public:
    virtual ~ByteSink() = default;
    virtual void write(std::string_view bytes) = 0;
    virtual void finish() = 0;  // Everything was written: it may be kept.
};

// What pages become, and where it goes. The work is done in two steps: many threads make() what is
// to be written, one thread write()s it in the order of the archive.
class ExtractOutput {
public:
    virtual ~ExtractOutput() = default;

    // Before anything else: writes what comes before the pages.
    virtual void begin(Random& /*random*/) {}

    // Appends what is to be written of a page; nothing, if there is nothing. On any thread. Throws
    // Error with a phrase for people if nothing can be made of this page.
    virtual void make(const ArchivedPage& page, const extract::Extract& extract, PageWorker& worker,
                      std::string& out) const = 0;

    // These and begin() throw IoError.
    virtual void write(std::string_view url, std::string_view made) = 0;
    virtual void finish() = 0;
};

}  // namespace weft::crawl
