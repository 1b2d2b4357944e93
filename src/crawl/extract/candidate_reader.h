#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "aio/files/files.h"
#include "archive/warc/record_packer.h"
#include "archive/warc/warc_file.h"
#include "base/limits.h"
#include "base/units.h"
#include "crawl/extract/archived_page.h"
#include "crawl/extract/site_terms.h"

namespace weft::crawl {

// A WARC file to read.
struct PageInput {
    std::string shown;  // For messages; safe for a terminal.
    std::function<std::unique_ptr<aio::File>()> open;
    std::uint64_t size = 0;  // For the progress.
};

// The bytes of a block that are kept: a head, and as much content as a page may have.
inline constexpr std::size_t kPageBlockBytesMax =
    limits::kHtmlBytesMax + limits::kHeaderBlockBytesMax;
// After damage the next record is searched for. Each place that looks like one is tried; a file
// with more such places that are none is not read further.
inline constexpr std::size_t kRecordTriesMax = 10'000;

// Reads the records of WARC files that may hold pages, one file after the other, in their order,
// and what the robots.txt and tdmrep.json before them say about the use of the pages. Memory: one
// record, of at most kPageBlockBytesMax, and that of a WarcReader.
//
// What is damaged is skipped: take_damages() says what. A page may contain what looks like a
// record, and if the record around it is damaged, that must not become a page. So records after the
// damage count only if they name the warcinfo record that those before named
// (WARC-Warcinfo-ID); if those named none, any record counts.
//
// Blocks in file reads: for use on an executor thread, by one thread at a time.
class CandidateReader {
public:
    // `wants` says whether the page of this URL is wanted.
    CandidateReader(std::vector<PageInput> inputs,
                    std::function<bool(const std::string& url)> wants);

    // The next record; nothing at the end of the last file. Throws IoError.
    std::optional<PageCandidate> next();

    // What was wrong since the last call, a message for each.
    std::vector<std::string> take_damages() { return std::exchange(damages_, {}); }

    std::uint64_t bytes_read() const;  // Of the files, as they are on disk.
    std::uint64_t record_count() const { return record_count_; }  // Of all types.

private:
    bool open_next();
    void close();
    void note_cut_member();
    std::optional<PageCandidate> read_record();
    void begin(archive::RecordStart& start);
    void take(std::string_view bytes);
    bool end(const archive::RecordEnd& end);
    void read_terms();
    void recover(archive::WarcError error);
    std::optional<std::uint64_t> find_record(std::uint64_t begin);
    bool is_record_at(std::uint64_t offset);
    std::string place_of(std::string_view type, std::uint64_t offset) const;

    std::vector<PageInput> inputs_;
    std::function<bool(const std::string& url)> wants_;
    std::size_t next_input_ = 0;
    std::unique_ptr<aio::File> file_;
    std::optional<archive::WarcFile> records_;
    archive::Packing packing_ = archive::Packing::none;
    std::string info_id_;            // Of the warcinfo record that the last records named.
    std::size_t try_count_ = 0;      // Of places in this file.
    std::uint64_t offset_ = 0;       // Where the last record began.
    std::uint64_t member_end_ = 0;   // Where the last record's member ended.
    std::uint64_t read_before_ = 0;  // The bytes of the files before this one.

    SiteTermsBook terms_;
    PageCandidate record_;
    bool is_wanted_ = false;
    bool is_terms_ = false;  // It is a robots.txt or the like: it is read here.
    bool has_head_ = false;  // The head of the block was judged.
    std::uint64_t record_count_ = 0;
    std::vector<std::string> damages_;
};

}  // namespace weft::crawl
