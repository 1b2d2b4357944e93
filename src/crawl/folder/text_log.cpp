#include "crawl/folder/text_log.h"

#include <mutex>

#include "aio/loop/executor.h"

namespace weft::crawl {

struct TextLog::State {
    std::mutex mutex;  // Guards everything below.
    std::unique_ptr<aio::File> file;
    std::uint64_t size = 0;
    std::uint64_t synced_size = 0;
};

TextLog::TextLog(aio::FileSystem& files, const std::filesystem::path& folder)
    : state_(std::make_shared<State>()) {
    state_->file = files.open(folder / kName, aio::OpenMode::append);
    committed_size_ = state_->size = state_->synced_size = state_->file->size();
}

std::uint64_t TextLog::append(std::string_view line) {
    const std::lock_guard lock(state_->mutex);
    state_->file->append(line);
    return state_->size += line.size();
}

void TextLog::note_committed(std::uint64_t size) {
    committed_size_ = size;
    grown_.set();
}

std::size_t TextLog::read_at(std::uint64_t offset, std::span<char> room) {
    const std::lock_guard lock(state_->mutex);
    return state_->file->read_at(offset, room);
}

aio::Co<> TextLog::sync() {
    co_await aio::to_thread([state = state_] {
        const std::lock_guard lock(state->mutex);
        if (state->size == state->synced_size) return;
        state->file->sync();
        state->synced_size = state->size;
    });
}

}  // namespace weft::crawl
