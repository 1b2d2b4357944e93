#include "base/log.h"

#include <thread>
#include <vector>

#include <gtest/gtest.h>

namespace weft {

TEST(Log, MessagesOfSeveralThreadsComeOneAtATime) {
    std::vector<std::string> lines;  // Only the log's own lock guards it.
    set_log_sink([&](LogLevel, std::string_view message) { lines.emplace_back(message); });

    {
        std::vector<std::jthread> threads;
        threads.reserve(4);
        for (int i = 0; i < 4; ++i) {
            threads.emplace_back([] {
                for (int n = 0; n < 100; ++n) log(LogLevel::error, "message {}", n);
            });
        }
    }
    set_log_sink({});

    EXPECT_EQ(lines.size(), 400u);
}

TEST(Log, LevelsAboveTheChosenOneAreNotFormatted) {
    std::vector<std::string> lines;
    set_log_sink([&](LogLevel, std::string_view message) { lines.emplace_back(message); });

    log(LogLevel::info, "quiet");
    log(LogLevel::warning, "loud");
    set_log_sink({});

    EXPECT_EQ(lines, std::vector<std::string>{"loud"});
}

}  // namespace weft
