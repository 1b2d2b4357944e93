#include "base/log.h"

#include <atomic>
#include <cstdio>
#include <mutex>

namespace weft {
namespace {

constexpr std::string_view kNames[] = {"error", "warning", "info", "debug"};

std::atomic<LogLevel> level_max = LogLevel::warning;
std::mutex sink_mutex;  // Protects sink() and keeps messages of two threads apart.

// One write per message: standard error is not buffered, and parts of a line could mix with other
// output.
void print_to_stderr(LogLevel level, std::string_view message) {
    const std::string line =
        fmt::format("weft: {}: {}\n", kNames[static_cast<std::size_t>(level)], message);
    std::fwrite(line.data(), 1, line.size(), stderr);
}

LogSink& sink() {
    // tidy: allow shared-state: used under sink_mutex.
    static LogSink instance = print_to_stderr;
    return instance;
}

}  // namespace

void set_log_sink(LogSink new_sink) {
    const std::lock_guard lock(sink_mutex);
    sink() = new_sink ? std::move(new_sink) : print_to_stderr;
}

void set_log_level(LogLevel level) {
    level_max = level;
}

bool logs(LogLevel level) {
    return level <= level_max.load(std::memory_order_relaxed);
}

void log_message(LogLevel level, std::string_view message) {
    const std::lock_guard lock(sink_mutex);
    sink()(level, message);
}

}  // namespace weft
