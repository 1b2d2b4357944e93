#include "archive/index/crawl_index.h"

#include <utility>

#include "archive/index/line_sorter.h"
#include "archive/index/page_reader.h"

namespace weft::archive {

namespace {
// Lines are written in batches of this size.
constexpr std::size_t kLineBatchBytes = 256_KiB;
}  // namespace

std::optional<CdxEntry> to_cdx_entry(const Outcome& entry) {
    if (entry.archived.file.empty()) return std::nullopt;
    CdxEntry cdx;
    cdx.target_uri = entry.url;
    cdx.date = entry.date;
    cdx.mime = entry.is_revisit ? "warc/revisit" : entry.content_type;
    cdx.status = static_cast<unsigned>(entry.status);
    cdx.digest = entry.payload_digest;
    cdx.filename = entry.archived.file;
    cdx.offset = entry.archived.offset;
    cdx.length = entry.archived.length;
    return cdx;
}

std::uint64_t write_crawl_index(aio::FileSystem& files, const std::filesystem::path& folder) {
    const std::filesystem::path path = folder / kIndexName;
    files.create_directories(path.parent_path());
    LineSorter sorter(files, folder / "indexes" / "sorting");
    for (const char* name : {"pages/pages.jsonl", kRobotsLogName}) {
        // A crawl that fetched no robots.txt has no such log; the page log must exist.
        if (name == kRobotsLogName && !files.exists(folder / name)) break;
        const std::unique_ptr<aio::File> log = files.open(folder / name, aio::OpenMode::read);
        read_pages(*log, [&](const Outcome& entry) {
            if (const auto cdx = to_cdx_entry(entry)) sorter.add(make_cdxj_line(*cdx));
        });
    }

    std::filesystem::path fresh = path;
    fresh += ".new";
    // Left over from a run that was killed.
    files.remove(fresh);
    const std::unique_ptr<aio::File> out = files.open(fresh, aio::OpenMode::create);
    std::uint64_t count = 0;
    std::string pending;
    sorter.finish([&](std::string_view line) {
        ++count;
        pending += line;
        if (pending.size() >= kLineBatchBytes) out->append(std::exchange(pending, {}));
    });
    out->append(pending);
    // The content must be on disk before the name points to it; the directory makes the name
    // durable.
    out->sync();
    files.rename(fresh, path);
    files.sync_directory(path.parent_path());
    return count;
}

}  // namespace weft::archive
