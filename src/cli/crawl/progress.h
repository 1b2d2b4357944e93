#pragma once

#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aio/task/co.h"
#include "cli/crawl/progress_view.h"
#include "crawl/run/watched.h"

namespace weft::cli {

enum class ProgressForm {
    bar,    // A block of lines on a terminal that is redrawn.
    plain,  // A line every ten seconds.
    json,   // One object per line, every second and at the end.
    none,
};

// The values of --progress. If none is typed, parse_progress() chooses: a block if standard error
// is a terminal that can move its cursor, else plain lines.
std::vector<std::string> progress_names();
ProgressForm parse_progress(const std::string& typed);

// Shows the progress of a crawl on standard error. It runs beside the crawl, on the same loop.
class Progress {
public:
    // The crawl outlives it. `others`, if given, returns the number of waiting URLs that are not in
    // the crawl's frontier.
    Progress(ProgressForm form, bool has_color, crawl::Watched& crawl,
             std::function<std::uint64_t()> others = {});
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Runs until it is cancelled.
    aio::Co<> run();

    // The crawl is over: removes the block, or prints the last numbers as JSON.
    void finish();

    // Prints one or more lines for the user, above the block.
    void say(std::string_view line);

    // The same in the colour for errors, if colours are used.
    void say_wrong(std::string_view line);

private:
    class Block;

    ProgressForm form_;
    bool has_color_;
    ProgressWatch watch_;
    std::unique_ptr<Block> block_;
};

}  // namespace weft::cli
