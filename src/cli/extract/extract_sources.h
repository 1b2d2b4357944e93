#pragma once

#include <memory>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "archive/index/crawl_snapshot.h"
#include "crawl/extract/candidate_reader.h"

namespace weft::cli {

// What `weft extract` reads.
struct ExtractSources {
    std::vector<crawl::PageInput> inputs;

    // The folder of the crawl and its files, if one folder is all that is read. Else empty.
    std::string folder;
    std::unique_ptr<aio::FileSystem> files;
    std::shared_ptr<const archive::CrawlSnapshot> snapshot;
};

// Opens folders of crawls, WARC files and WACZ files, in the order of the arguments. In a folder
// nothing outside of it is read. Throws UsageError, IoError or ArchiveError.
ExtractSources open_sources(const std::vector<std::string>& paths);

}  // namespace weft::cli
