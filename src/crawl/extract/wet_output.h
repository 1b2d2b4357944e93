#pragma once

#include <memory>
#include <string>

#include "crawl/extract/text_output.h"

namespace weft::crawl {

// A WARC file of texts, as Common Crawl's WET files: a warcinfo record, then a conversion record
// for each page with text, each a gzip member. A record names the response that it was made of
// (WARC-Refers-To) and the languages of the text (WARC-Identified-Content-Language, ISO 639-3).
class WetOutput final : public StreamOutput {
public:
    // `software` is for the warcinfo record: "weft/1.0".
    WetOutput(std::unique_ptr<ByteSink> sink, std::string software, WallTime now)
        : StreamOutput(std::move(sink)), software_(std::move(software)), now_(now) {}

    void begin(Random& random) override;

    // Throws Error if the URL of the page cannot be in a record.
    void make(const ArchivedPage& page, const extract::Extract& extract, PageWorker& worker,
              std::string& out) const override;

private:
    std::string software_;
    WallTime now_;
    std::string info_id_;
};

}  // namespace weft::crawl
