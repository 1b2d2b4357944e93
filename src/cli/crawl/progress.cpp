#include "cli/crawl/progress.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "aio/task/sleep.h"
#include "cli/crawl/progress_view.h"
#include "cli/show/standard_streams.h"
#include "cli/show/terminal.h"

namespace weft::cli {

using aio::Co;

namespace {

constexpr Duration kBlockInterval = 200ms;
constexpr Duration kJsonInterval = 1s;
constexpr Duration kPlainInterval = 10s;

struct Size {
    std::size_t width = 80;
    std::size_t height = 24;
};

// Asked each time, as the user may resize the terminal.
Size terminal_size() {
    winsize size{};
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) != 0 || size.ws_col == 0) return {};
    return {size.ws_col, std::max<std::size_t>(size.ws_row, 2)};
}

void write(const std::string& text) {
    say(stderr, text);
}

std::string red(std::string_view line) {
    return fmt::format("\x1b[31m{}\x1b[0m", line);
}

}  // namespace

// Lines at the bottom of a terminal. Each drawing overwrites the last one in a single write,
// without clearing first, so nothing flickers. The last column stays free, because terminals differ
// in whether the cursor wraps there.
class Progress::Block {
public:
    explicit Block(bool has_color) : has_color_(has_color) {}
    ~Block() { clear(); }

    void draw(std::vector<std::string> lines) {
        const Size size = terminal_size();
        std::string text = go_up(size);
        for (std::size_t i = 0; i < lines.size(); ++i) {
            if (i > 0) text += "\n";
            text += paint(lines[i]) + "\x1b[K";
        }
        write(text + "\x1b[J");
        size_ = size;
        lines_ = std::move(lines);
    }

    void clear() {
        if (lines_.empty()) return;
        write(go_up(terminal_size()) + "\x1b[J");
        lines_.clear();
    }

    const std::vector<std::string>& lines() const { return lines_; }

private:
    // Moves to the block's first column. If the terminal has become narrower, it has wrapped the
    // lines, and the block has more rows.
    std::string go_up(const Size& now) const {
        std::size_t rows = lines_.empty() ? 1 : lines_.size();
        if (now.width < size_.width) {
            rows = 0;
            for (const std::string& line : lines_) {
                rows += std::max<std::size_t>(1, (line.size() + now.width - 1) / now.width);
            }
        }
        rows = std::clamp<std::size_t>(rows, 1, now.height);
        return rows == 1 ? "\r" : fmt::format("\r\x1b[{}A", rows - 1);
    }

    std::string paint(const std::string& line) const {
        if (!has_color_ || !line.starts_with("errors")) return line;
        return red(line);
    }

    bool has_color_;
    Size size_;
    std::vector<std::string> lines_;
};

std::vector<std::string> progress_names() {
    return {"bar", "plain", "dot", "json", "none"};
}

ProgressForm parse_progress(const std::string& typed) {
    if (typed == "bar") return ProgressForm::bar;
    if (typed == "plain" || typed == "dot") return ProgressForm::plain;
    if (typed == "json") return ProgressForm::json;
    if (typed == "none") return ProgressForm::none;
    return is_able_terminal(stderr) ? ProgressForm::bar : ProgressForm::plain;
}

Progress::Progress(ProgressForm form, bool has_color, crawl::Watched& crawl,
                   std::function<std::uint64_t()> others)
    : form_(form), has_color_(has_color), watch_(crawl, std::move(others)) {
    if (form == ProgressForm::bar) block_ = std::make_unique<Block>(has_color);
}

Progress::~Progress() = default;

Co<> Progress::run() {
    if (form_ == ProgressForm::none) co_return;
    watch_.look_at_numbers();  // The first sample: the rate is measured from here.
    for (;;) {
        switch (form_) {
            case ProgressForm::bar: {
                co_await aio::sleep(kBlockInterval);
                const ProgressFacts facts = co_await watch_.look();
                const Size size = terminal_size();
                block_->draw(to_block(facts, size.width - 1, size.height - 1));
                break;
            }
            case ProgressForm::plain: {
                co_await aio::sleep(kPlainInterval);
                const ProgressFacts facts = co_await watch_.look();
                write(to_line(facts) + "\n");
                break;
            }
            case ProgressForm::json: {
                const ProgressFacts facts = co_await watch_.look();
                write(to_json_line(facts));
                co_await aio::sleep(kJsonInterval);
                break;
            }
            case ProgressForm::none: co_return;
        }
    }
}

void Progress::finish() {
    if (block_) block_->clear();
    if (form_ != ProgressForm::json) return;
    write(to_json_line(watch_.look_at_numbers()));
}

void Progress::say_wrong(std::string_view line) {
    say(has_color_ ? red(line) : std::string(line));
}

void Progress::say(std::string_view line) {
    if (!block_) {
        write(std::string(line) + "\n");
        return;
    }
    // The block is removed, the line printed, and the block drawn again below it.
    std::vector<std::string> lines = block_->lines();
    block_->clear();
    write(std::string(line) + "\n");
    block_->draw(std::move(lines));
}

}  // namespace weft::cli
