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
#include "archive/index/page_entry.h"
#include "archive/warc/exchange.h"
#include "crawl/folder/stored_response.h"

namespace weft::crawl {

// The folder of a crawl that is over, to be asked what it found: by a recrawl, a mirror, a repair.
//
// Holds 16 bytes of memory for each URL; all else is read when it is asked for. Blocking; any
// thread may call; throws IoError.
class EarlierCrawl {
public:
    // The file of a folder that names the crawl which it asked for changes since: its path in full,
    // and in the second line as seen from the folder. Folders of earlier builds have only the
    // first.
    static constexpr const char* kEarlierName = "state/earlier";

    // Writes that file.
    static void keep_earlier(aio::FileSystem& files, const std::filesystem::path& folder,
                             const std::filesystem::path& earlier);

    struct Options {
        // Where the crawls are now that this one built upon, the newest first. Those that are not
        // given are looked for where they were, where they are as seen from the folder, and beside
        // the folder.
        std::span<const std::filesystem::path> earlier;
        Digests digests = Digests::checked;
    };

    // Also opens the crawls that this one built upon. `files` knows all folders and outlives this;
    // of each folder only what lies in it is read. One that is not found is left out, and
    // missing() names it. Throws UsageError if there is no page log in the folder, or in one of
    // those that the options name.
    static std::shared_ptr<const EarlierCrawl> open(aio::FileSystem& files,
                                                    const std::filesystem::path& folder,
                                                    const Options& options);
    static std::shared_ptr<const EarlierCrawl> open(aio::FileSystem& files,
                                                    const std::filesystem::path& folder) {
        return open(files, folder, Options());
    }

    // The same with another page log than the folder's own, and `files` that know only the folder.
    static std::shared_ptr<const EarlierCrawl> open_log(std::shared_ptr<aio::FileSystem> files,
                                                        const std::filesystem::path& folder,
                                                        const std::filesystem::path& log);

    const std::filesystem::path& folder() const { return folder_; }

    // The crawl that this one built upon; null: there is none, or it was not found.
    const EarlierCrawl* older() const { return older_.get(); }

    // The folder of a crawl that this one, or one before it, built upon, and that was not found.
    std::optional<std::filesystem::path> missing() const;

    // What became of the URL, exactly as it is written.
    std::optional<archive::PageEntry> find(std::string_view url) const;

    // An answer with its body, and what it is known by.
    struct Answer {
        std::string block;  // As it went over the wire.
        archive::Original original;
        const EarlierCrawl* crawl = nullptr;  // Where it is archived,
        archive::PageEntry entry;             // and as what.
    };

    enum class Loss : std::uint8_t {
        damaged,      // The record, its file, or what it holds.
        no_original,  // It is stored in a crawl that is not here.
    };
    struct Lost {
        Loss kind = Loss::damaged;
        std::string what;  // "archive/x.warc.gz: the record at byte 12 is cut off"
    };

    // The answer that the entry's content came with, looked up where its record says that it is
    // stored: in this crawl or in those before.
    std::expected<Answer, Lost> read_answer(const archive::PageEntry& entry) const;

private:
    EarlierCrawl(std::shared_ptr<aio::FileSystem> files, std::filesystem::path folder,
                 const std::filesystem::path& log, Digests digests);

    void open_older(aio::FileSystem& all, std::span<const std::filesystem::path> earlier);
    std::optional<archive::PageEntry> entry_at(std::uint64_t offset) const;
    std::expected<StoredRecord, Lost> record_of(const archive::PageEntry& entry) const;
    std::expected<Answer, Lost> read_original(const archive::PageEntry& entry,
                                              const StoredRecord& revisit) const;

    std::shared_ptr<aio::FileSystem> files_;  // Of the folder only.
    std::filesystem::path folder_;
    Digests digests_;
    std::unique_ptr<aio::File> pages_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places_;  // Hash of a URL, its line.
    std::shared_ptr<EarlierCrawl> older_;
    std::filesystem::path missing_;  // The crawl that it built upon, if that was not found.
};

}  // namespace weft::crawl
