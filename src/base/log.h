#pragma once

#include <functional>
#include <string>
#include <string_view>
#include <utility>

#include <fmt/format.h>

namespace weft {

enum class LogLevel { error, warning, info, debug };

// One line a message, to a sink that the program chooses (standard error unless set_log_sink was
// called). Text from outside is passed through escape_for_terminal() by the caller. Thread-safe.
using LogSink = std::function<void(LogLevel, std::string_view message)>;

void set_log_sink(LogSink sink);

// Messages above this level are not even formatted. Default: warning.
void set_log_level(LogLevel level);
bool logs(LogLevel level);

void log_message(LogLevel level, std::string_view message);

template <class... Args>
void log(LogLevel level, fmt::format_string<Args...> format, Args&&... args) {
    if (logs(level)) log_message(level, fmt::format(format, std::forward<Args>(args)...));
}

}  // namespace weft
