#include "archive/page_log.h"

#include <exception>
#include <iterator>
#include <mutex>

#include <fmt/format.h>

#include "aio/executor.h"
#include "aio/loop.h"
#include "base/escape.h"
#include "base/units.h"

namespace weft::archive {
namespace {

constexpr std::size_t kFlushBytes = 64_KiB;

void add_text(std::string& out, std::string_view name, std::string_view value) {
    if (value.empty()) return;
    fmt::format_to(std::back_inserter(out), ",\"{}\":\"{}\"", name, escape_for_json(value));
}

void add_number(std::string& out, std::string_view name, std::uint64_t value) {
    fmt::format_to(std::back_inserter(out), ",\"{}\":{}", name, value);
}

}  // namespace

std::string to_json_line(const PageEntry& entry) {
    std::string out = fmt::format("{{\"url\":\"{}\",\"ts\":\"{}\"", escape_for_json(entry.url),
                                  to_iso8601(entry.date, 3));
    add_text(out, "title", entry.title);
    add_text(out, "ending", entry.ending);
    if (entry.status != 0) add_number(out, "status", static_cast<std::uint64_t>(entry.status));
    add_text(out, "reason", entry.reason);
    add_text(out, "mime", entry.content_type);
    add_number(out, "size", entry.content_bytes);
    add_text(out, "referrer", entry.referrer);
    add_text(out, "redirect", entry.redirect_target);
    add_number(out, "depth", entry.depth);
    add_number(out, "elapsed_ms", static_cast<std::uint64_t>(entry.elapsed / 1ms));
    if (!entry.position.file.empty()) {
        add_text(out, "file", entry.position.file);
        add_number(out, "offset", entry.position.offset);
        add_number(out, "length", entry.position.length);
    }
    return out + "}\n";
}

struct PageLog::State {
    std::mutex mutex;  // Guards all below: the final sync runs on another thread.
    std::unique_ptr<aio::File> file;
    std::exception_ptr error;

    void write(std::string_view lines) noexcept {
        const std::lock_guard lock(mutex);
        if (error) return;
        try {
            file->append(lines);
        } catch (const Error&) {
            error = std::current_exception();
        }
    }
};

PageLog::PageLog(const std::filesystem::path& path) : state_(std::make_shared<State>()) {
    state_->file = aio::EventLoop::running().files().open(path, aio::OpenMode::create);
    pending_ = "{\"format\":\"json-pages-1.0\",\"id\":\"pages\",\"title\":\"All Pages\"}\n";
}

void PageLog::add(const PageEntry& entry) {
    pending_ += to_json_line(entry);
    if (pending_.size() >= kFlushBytes) flush();
}

void PageLog::flush() {
    state_->write(std::exchange(pending_, {}));
}

aio::Co<> PageLog::close() {
    flush();
    co_await aio::to_thread([state = state_] {
        const std::lock_guard lock(state->mutex);
        if (state->error) std::rethrow_exception(state->error);
        state->file->sync();
    });
}

}  // namespace weft::archive
