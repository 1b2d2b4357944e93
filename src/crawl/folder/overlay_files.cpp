#include "crawl/folder/overlay_files.h"

#include <algorithm>

#include <fmt/format.h>

#include "aio/files/enclosed_files.h"
#include "aio/task/errors.h"
#include "archive/warc/warc_repair.h"

namespace weft::crawl {

using aio::OpenMode;

namespace {

[[noreturn]] void fail(std::string_view what, const std::filesystem::path& path, std::errc error) {
    throw aio::IoError(fmt::format("cannot {} {}", what, path.string()),
                       std::make_error_code(error));
}

}  // namespace

// A file that was opened for writing but exists only below. It is copied to `upper` with the first
// change, so that opening alone copies nothing.
class OverlayFiles::LazyFile final : public aio::File {
public:
    LazyFile(OverlayFiles& files, Path path)
        : files_(files), path_(std::move(path)), file_(files.below_->open(path_, OpenMode::read)) {}

    void append(std::string_view bytes) override {
        if (!bytes.empty()) own().append(bytes);
    }
    std::size_t read_at(std::uint64_t offset, std::span<char> room) override {
        return file_->read_at(offset, room);
    }
    std::uint64_t size() override { return file_->size(); }
    void truncate(std::uint64_t size) override {
        if (size != file_->size()) own().truncate(size);
    }
    void sync() override {
        if (is_own_) file_->sync();
    }

private:
    aio::File& own() {
        if (!is_own_) {
            files_.copy_up(path_);
            file_ = files_.below_->open(files_.upper(path_), OpenMode::append);
            is_own_ = true;
        }
        return *file_;
    }

    OverlayFiles& files_;
    Path path_;
    std::unique_ptr<aio::File> file_;
    bool is_own_ = false;
};

OverlayFiles::OverlayFiles(std::shared_ptr<aio::FileSystem> below, Path root, Path upper)
    : below_(std::move(below)), root_(std::move(root)), upper_(std::move(upper)) {}

void OverlayFiles::hide(const Path& path) {
    hidden_.insert(aio::path_inside(root_, path));
}

OverlayFiles::Path OverlayFiles::upper(const Path& path) const {
    return upper_ / aio::path_inside(root_, path);
}

// Whether a path exists below and neither it nor a folder around it is hidden.
bool OverlayFiles::is_seen_below(const Path& path) const {
    for (std::string inner = aio::path_inside(root_, path); !inner.empty();) {
        if (hidden_.contains(inner)) return false;
        const std::size_t slash = inner.rfind('/');
        inner.resize(slash == std::string::npos ? 0 : slash);
    }
    return below_->exists(path);
}

void OverlayFiles::make_room(const Path& path) {
    below_->create_directories(upper(path.parent_path()));
}

void OverlayFiles::copy_up(const Path& path) {
    if (below_->exists(upper(path))) return;
    make_room(path);
    const std::unique_ptr<aio::File> from = below_->open(path, OpenMode::read);
    const std::unique_ptr<aio::File> to = below_->open(upper(path), OpenMode::create);
    archive::copy_bytes(*from, {0, from->size()}, *to);
}

std::unique_ptr<aio::File> OverlayFiles::open(const Path& path, OpenMode mode) {
    if (below_->exists(upper(path))) return below_->open(upper(path), mode);
    if (is_seen_below(path)) {
        if (mode == OpenMode::create) fail("open", path, std::errc::file_exists);
        if (mode == OpenMode::read) return below_->open(path, mode);
        return std::make_unique<LazyFile>(*this, path);
    }
    if (mode == OpenMode::read) fail("open", path, std::errc::no_such_file_or_directory);
    make_room(path);
    return below_->open(upper(path), mode);
}

bool OverlayFiles::exists(const Path& path) {
    return below_->exists(upper(path)) || is_seen_below(path);
}

void OverlayFiles::create_directories(const Path& path) {
    below_->create_directories(upper(path));
}

void OverlayFiles::rename(const Path& from, const Path& to) {
    if (is_seen_below(from)) copy_up(from);
    make_room(to);
    below_->rename(upper(from), upper(to));
    hide(from);
}

void OverlayFiles::remove(const Path& path) {
    below_->remove(upper(path));
    hide(path);
}

std::vector<std::string> OverlayFiles::list(const Path& directory) {
    std::vector<std::string> names;
    if (below_->exists(upper(directory))) names = below_->list(upper(directory));
    if (is_seen_below(directory)) {
        for (const std::string& name : below_->list(directory)) {
            if (is_seen_below(directory / name)) names.push_back(name);
        }
    }
    std::ranges::sort(names);
    const auto again = std::ranges::unique(names);
    names.erase(again.begin(), again.end());
    return names;
}

void OverlayFiles::sync_directory(const Path& directory) {
    if (below_->exists(upper(directory))) below_->sync_directory(upper(directory));
}

// Locks the file in `upper`: Repair holds the lock of the folder itself.
std::unique_ptr<aio::FileLock> OverlayFiles::try_lock(const Path& path) {
    make_room(path);
    return below_->try_lock(upper(path));
}

std::string OverlayFiles::identity(const Path& folder) {
    return below_->identity(folder);
}

}  // namespace weft::crawl
