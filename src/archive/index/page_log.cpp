#include "archive/index/page_log.h"

#include <exception>
#include <mutex>

#include "aio/loop/executor.h"
#include "aio/loop/loop.h"
#include "base/units.h"

namespace weft::archive {
namespace {

constexpr std::size_t kFlushBytes = 64_KiB;

}  // namespace

struct PageLog::State {
    std::mutex mutex;  // Guards everything below, because sync() runs on another thread.
    std::unique_ptr<aio::File> file;
    std::exception_ptr error;  // The first failed write. Nothing is written after it.

    void write(std::string_view lines) noexcept {
        const std::lock_guard lock(mutex);
        // After a failed write the file may end in a partial line: a further line would be appended
        // to it.
        if (error) return;
        try {
            file->append(lines);
        } catch (const Error&) {
            // Kept for sync(): the caller of add() cannot do anything about it.
            error = std::current_exception();
        }
    }
};

PageLog::PageLog(aio::FileSystem& files, const std::filesystem::path& path,
                 std::string_view format_line)
    : state_(std::make_shared<State>()) {
    state_->file = files.open(path, aio::OpenMode::append);
    size_ = state_->file->size();
    if (size_ == 0) add_line(format_line);
}

void PageLog::add_line(std::string_view line) {
    pending_ += line;
    size_ += line.size();
    if (pending_.size() >= kFlushBytes) flush();
}

void PageLog::flush() {
    state_->write(std::exchange(pending_, {}));
}

aio::Co<> PageLog::sync() {
    flush();
    co_await aio::to_thread([state = state_] {
        const std::lock_guard lock(state->mutex);
        if (state->error) std::rethrow_exception(state->error);
        state->file->sync();
    });
}

}  // namespace weft::archive
