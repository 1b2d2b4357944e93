#include "frontier/store/run_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/hash.h"
#include "frontier/store/codec.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

// The trailer at the end of the file: where the footer begins, the footer's checksum, and this
// magic, which says that the run was written to its end.
constexpr std::uint64_t kRunMagic = 0x316e757274666577;  // "weftrun1"
constexpr std::size_t kTrailerSize = 24;

}  // namespace

RunWriter::RunWriter(aio::FileSystem& files, const std::filesystem::path& path) {
    files.remove(path);  // Left by a process that was killed before the manifest named it.
    file_ = files.open(path, aio::OpenMode::create);
}

void RunWriter::append(std::string_view bytes) {
    buffer_.append(bytes);
    offset_ += bytes.size();
    if (buffer_.size() < kBufferSize) return;
    file_->append(buffer_);
    buffer_.clear();
}

void RunWriter::finish(std::string_view footer) {
    std::string trailer;
    put_fixed64(trailer, offset_);
    put_fixed64(trailer, hash64(footer, offset_));
    put_fixed64(trailer, kRunMagic);
    append(footer);
    append(trailer);
    if (!buffer_.empty()) file_->append(buffer_);
    // Before the manifest names the run.
    file_->sync();
}

RunFile::RunFile(aio::FileSystem& files, std::filesystem::path path) : path_(std::move(path)) {
    if (!files.exists(path_)) {
        throw StoreError(fmt::format("{} is missing", path_.string()), kWayOut);
    }
    file_ = files.open(path_, aio::OpenMode::read);
}

std::string RunFile::read_footer() {
    const std::uint64_t size = file_->size();
    if (size < kTrailerSize) fail(0);
    std::string trailer;
    read(size - kTrailerSize, kTrailerSize, trailer);
    Decoder decoder(trailer);
    const std::uint64_t begin = decoder.fixed64();
    const std::uint64_t sum = decoder.fixed64();
    if (decoder.fixed64() != kRunMagic || begin > size - kTrailerSize) fail(size - kTrailerSize);
    std::string footer;
    read(begin, size - kTrailerSize - begin, footer);
    if (hash64(footer, begin) != sum) fail(begin);
    return footer;
}

void RunFile::read(std::uint64_t offset, std::size_t size, std::string& into) {
    // Checked before memory is allocated, as `size` comes from the file itself.
    const std::uint64_t end = file_->size();
    if (offset > end || size > end - offset) fail(offset);
    into.resize(size);
    if (file_->read_at(offset, into) != size) fail(offset);
}

void RunFile::fail(std::uint64_t offset) const {
    throw StoreError(
        fmt::format("{} is damaged near byte {} (its checksum is wrong)", path_.string(), offset),
        kWayOut);
}

std::string_view RunReader::peek(std::uint64_t offset, std::size_t size, std::uint64_t end) {
    const bool has_it = offset >= start_ && offset + size <= start_ + window_.size();
    if (!has_it) {
        const std::uint64_t left = end - std::min(offset, end);
        file_.read(offset, std::max<std::size_t>(size, std::min<std::uint64_t>(kWindowSize, left)),
                   window_);
        start_ = offset;
    }
    return std::string_view(window_).substr(offset - start_, size);
}

}  // namespace weft::frontier
