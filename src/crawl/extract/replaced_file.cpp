#include "crawl/extract/replaced_file.h"

#include <utility>

#include "aio/task/errors.h"
#include "base/units.h"

namespace weft::crawl {

namespace {
constexpr std::size_t kBufferBytes = 1_MiB;
}  // namespace

ReplacedFile::ReplacedFile(aio::FileSystem& files, std::filesystem::path path)
    : files_(files), path_(std::move(path)), aside_(path_.string() + ".tmp") {
    files_.remove(aside_);  // A crash may have left one.
    file_ = files_.open(aside_, aio::OpenMode::create);
}

ReplacedFile::~ReplacedFile() {
    if (!file_) return;
    file_.reset();
    try {
        files_.remove(aside_);
    } catch (const aio::IoError&) {
        // The next run removes it.
    }
}

void ReplacedFile::write(std::string_view bytes) {
    buffer_ += bytes;
    if (buffer_.size() >= kBufferBytes) flush();
}

void ReplacedFile::flush() {
    file_->append(buffer_);
    buffer_.clear();
}

void ReplacedFile::finish() {
    flush();
    // The bytes must be on disk before the name points to them.
    file_->sync();
    files_.rename(aside_, path_);
    file_.reset();
    files_.sync_directory(path_.has_parent_path() ? path_.parent_path() : ".");
}

}  // namespace weft::crawl
