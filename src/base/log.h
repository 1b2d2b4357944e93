#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace weft {

enum class LogLevel { error, warning, info, debug };

// Receives each log message, which is one line. The default sink prints to standard error. All
// functions here are thread-safe; the sink is called under a lock, so it must not log itself.
// REQUIRES: the caller passes text from outside through escape_for_terminal().
using LogSink = std::function<void(LogLevel, std::string_view message)>;

// An empty sink restores the default.
void set_log_sink(LogSink sink);

// Messages less important than this level are not even formatted. Default: warning.
void set_log_level(LogLevel level);
bool logs(LogLevel level);

// Passes the message to the sink, whatever the level.
void log_message(LogLevel level, std::string_view message);

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
    if (logs(level)) log_message(level, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace weft
