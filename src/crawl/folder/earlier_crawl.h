#pragma once

#include <cstdint>
#include <expected>
#include <filesystem>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aio/files/files.h"
#include "archive/warc/exchange.h"
#include "crawl/folder/stored_response.h"
#include "crawl/visit/outcome.h"

namespace weft::crawl {

// Reads what an earlier crawl found from its folder. Used by a recrawl, a mirror and a repair. That
// crawl may itself build on an older one, whose stored responses its revisit records stand for; so
// this is a chain of crawls.
//
// Holds 16 bytes of memory for each URL; everything else is read when it is needed. All functions
// block and throw IoError. Immutable after open(); may be used from any thread.
class EarlierCrawl {
public:
    // The file that names the crawl which this folder's crawl builds on: first its absolute path,
    // in the second line its path relative to the folder. Folders of earlier builds have only the
    // first line.
    static constexpr const char* kEarlierName = "state/earlier";

    // Writes that file.
    static void keep_earlier(aio::FileSystem& files, const std::filesystem::path& folder,
                             const std::filesystem::path& earlier);

    struct Options {
        // The folders of the older crawls, the newest first. A folder that is not given is searched
        // at its absolute path, at its path relative to the folder, and beside the folder.
        std::span<const std::filesystem::path> earlier;
        Digests digests = Digests::checked;
    };

    // Opens the folder and those of all older crawls. `files` can reach all of them and outlives
    // the object; in each folder only files inside it are read. If an older crawl is not found, the
    // chain ends there, and missing() names it. Throws UsageError if the folder, or one that the
    // options name, has no page log.
    static std::shared_ptr<const EarlierCrawl> open(aio::FileSystem& files,
                                                    const std::filesystem::path& folder,
                                                    const Options& options);
    static std::shared_ptr<const EarlierCrawl> open(aio::FileSystem& files,
                                                    const std::filesystem::path& folder) {
        return open(files, folder, Options());
    }

    // The same with another page log than the folder's own. `files` can reach only this folder; the
    // older crawls are opened with the loop's files.
    static std::shared_ptr<const EarlierCrawl> open_log(std::shared_ptr<aio::FileSystem> files,
                                                        const std::filesystem::path& folder,
                                                        const std::filesystem::path& log);

    const std::filesystem::path& folder() const { return folder_; }

    // The crawl that this one builds on. Null if there is none, or if it was not found.
    const EarlierCrawl* older() const { return older_.get(); }

    // The folder of the first crawl in the chain that was not found.
    std::optional<std::filesystem::path> missing() const;

    // The entry of a URL in the page log. The URL is compared as it is written.
    std::optional<Outcome> find(std::string_view url) const;

    // A stored response with its body.
    struct Answer {
        std::string block;                    // The response as it went over the wire.
        archive::Original original;           // How a revisit record names it.
        const EarlierCrawl* crawl = nullptr;  // The crawl whose archive holds it.
        Outcome entry;                        // Its entry in that crawl.
        std::string revisit = {};  // The block of the revisit record that names it, if one does.
    };

    enum class Loss : std::uint8_t {
        damaged,      // The record, its file, or its content is damaged.
        no_original,  // The body is stored in a crawl that was not found.
    };
    struct Lost {
        Loss kind = Loss::damaged;
        std::string what;  // "archive/x.warc.gz: the record at byte 12 is cut off"
    };

    // The response that holds the entry's content. If the entry is a revisit, this is the original
    // that its record names, in this crawl or in an older one.
    std::expected<Answer, Lost> read_answer(const Outcome& entry) const;

private:
    EarlierCrawl(std::shared_ptr<aio::FileSystem> files, std::filesystem::path folder,
                 const std::filesystem::path& log, Digests digests);

    void open_older(aio::FileSystem& all, std::span<const std::filesystem::path> earlier);
    std::optional<Outcome> entry_at(std::uint64_t offset) const;
    std::expected<archive::StoredRecord, Lost> record_of(const Outcome& entry) const;
    std::expected<Answer, Lost> read_original(const Outcome& entry,
                                              const archive::StoredRecord& revisit) const;

    std::shared_ptr<aio::FileSystem> files_;  // Reaches only this folder.
    std::filesystem::path folder_;
    Digests digests_;
    std::unique_ptr<aio::File> pages_;
    // Hash of a URL and offset of its line in the page log, sorted.
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places_;
    std::shared_ptr<EarlierCrawl> older_;
    std::filesystem::path missing_;  // The folder of the older crawl, if that was not found.
};

}  // namespace weft::crawl
