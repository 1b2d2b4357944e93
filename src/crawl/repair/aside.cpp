#include "crawl/repair/aside.h"

#include <fmt/format.h>

#include "archive/warc/warc_repair.h"

namespace weft::crawl {

std::filesystem::path free_aside_path(aio::FileSystem& files, const std::filesystem::path& crawl,
                                      WallTime now) {
    const std::filesystem::path parent = crawl / Aside::kParent;
    const std::string time = to_timestamp14(now);
    std::filesystem::path path = parent / time;
    for (int i = 2; files.exists(path); ++i) path = parent / fmt::format("{}-{}", time, i);
    return path;
}

Aside::Aside(aio::FileSystem& files, std::filesystem::path crawl, WallTime now)
    : files_(files), crawl_(std::move(crawl)), now_(now) {}

const std::filesystem::path& Aside::path() {
    if (is_made()) return path_;
    const std::filesystem::path path = free_aside_path(files_, crawl_, now_);
    files_.create_directories(path);
    files_.sync_directory(crawl_);
    files_.sync_directory(path.parent_path());
    path_ = path;
    return path_;
}

void Aside::take(const std::filesystem::path& from, const std::string& name) {
    files_.rename(from, path() / name);
    files_.sync_directory(path());
    files_.sync_directory(from.parent_path());
}

void Aside::copy_tail(aio::File& from, std::uint64_t begin, const std::string& name) {
    const std::unique_ptr<aio::File> to = files_.open(path() / name, aio::OpenMode::create);
    archive::copy_bytes(from, {begin, from.size()}, *to);
    to->sync();
    files_.sync_directory(path());
}

}  // namespace weft::crawl
