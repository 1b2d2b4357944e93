#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aio/files.h"
#include "archive/exchange.h"
#include "archive/page_entry.h"
#include "crawl/stored_response.h"

namespace weft::crawl {

// The folder of a crawl that is over, to be asked what it found: by a recrawl, a mirror, a repair.
//
// Holds 16 bytes of memory for each URL; all else is read when it is asked for. Blocking; any
// thread may call; throws IoError.
class EarlierCrawl {
public:
    // The file of a folder that names the crawl which it asked for changes since.
    static constexpr const char* kEarlierName = "state/earlier";

    // Also opens the crawls that this one built upon. `files` knows all folders; of each only what
    // lies in it is read. Throws UsageError if there is no page log.
    static std::shared_ptr<const EarlierCrawl> open(aio::FileSystem& files,
                                                    const std::filesystem::path& folder);

    // The same with another page log than the folder's own, and `files` that know only the folder.
    static std::shared_ptr<const EarlierCrawl> open_log(std::shared_ptr<aio::FileSystem> files,
                                                        const std::filesystem::path& folder,
                                                        const std::filesystem::path& log);

    const std::filesystem::path& folder() const { return folder_; }

    // What became of the URL, exactly as it is written.
    std::optional<archive::PageEntry> find(std::string_view url) const;

    // An answer with its body, and what it is known by.
    struct Answer {
        std::string block;  // As it went over the wire.
        archive::Original original;
    };

    // The answer that the entry's content came with, looked up where its record says that it is
    // stored: in this crawl or in those before. Nothing if it is not archived, or damaged.
    std::optional<Answer> read_answer(const archive::PageEntry& entry) const;

private:
    EarlierCrawl(std::shared_ptr<aio::FileSystem> files, std::filesystem::path folder,
                 const std::filesystem::path& log);

    std::optional<archive::PageEntry> entry_at(std::uint64_t offset) const;
    std::optional<StoredRecord> record_of(const archive::PageEntry& entry) const;
    std::optional<Answer> read_original(const StoredRecord& revisit) const;

    std::shared_ptr<aio::FileSystem> files_;
    std::filesystem::path folder_;
    std::unique_ptr<aio::File> pages_;
    std::vector<std::pair<std::uint64_t, std::uint64_t>> places_;  // Hash of a URL, its line.
    std::shared_ptr<const EarlierCrawl> older_;
};

}  // namespace weft::crawl
