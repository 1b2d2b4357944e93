#include "cli/extract/extract_progress.h"

#include <fmt/format.h>

#include "aio/task/sleep.h"
#include "base/units.h"
#include "cli/show/standard_streams.h"

namespace weft::cli {

using aio::Co;

namespace {

constexpr Duration kLineInterval = 200ms;
constexpr Duration kObjectInterval = 1s;
constexpr Duration kPlainLineInterval = 10s;

}  // namespace

Co<> ExtractProgress::run() {
    if (form_ == ProgressForm::none) co_return;
    for (;;) {
        switch (form_) {
            case ProgressForm::bar: {
                co_await aio::sleep(kLineInterval);
                weft::cli::say(stderr, "\r" + shown() + "\x1b[K");
                has_line_ = true;
                break;
            }
            case ProgressForm::plain: {
                co_await aio::sleep(kPlainLineInterval);
                weft::cli::say(stderr, shown() + "\n");
                break;
            }
            case ProgressForm::json: {
                weft::cli::say(stderr, json());
                co_await aio::sleep(kObjectInterval);
                break;
            }
            case ProgressForm::none: co_return;
        }
    }
}

void ExtractProgress::say(const std::string& message) {
    say_all(stderr, has_line_ ? "\r\x1b[K" + message + "\n" : message + "\n");
}

void ExtractProgress::finish() {
    if (has_line_) weft::cli::say(stderr, "\r\x1b[K");
    has_line_ = false;
    if (form_ == ProgressForm::json) weft::cli::say(stderr, json());
}

std::string ExtractProgress::shown() const {
    return fmt::format("{} pages of {} records, {} of {}", numbers_.page_count,
                       numbers_.record_count, human_bytes(numbers_.bytes),
                       human_bytes(numbers_.bytes_total));
}

std::string ExtractProgress::json() const {
    return fmt::format(
        "{{\"pages\":{},\"rows\":{},\"copies\":{},\"damaged\":{},\"records\":{},\"bytes\":{},"
        "\"bytes_total\":{}}}\n",
        numbers_.page_count, numbers_.row_count, numbers_.copy_count, numbers_.damage_count,
        numbers_.record_count, numbers_.bytes, numbers_.bytes_total);
}

}  // namespace weft::cli
