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
    bar,    // A block that renews itself, on a terminal.
    plain,  // A line every ten seconds.
    json,   // An object a line, every second and at the end.
    none,
};

// The values of --progress; the form that standard error is for if none is typed: a block on a
// terminal that can move its cursor, else plain lines.
std::vector<std::string> progress_names();
ProgressForm parse_progress(const std::string& typed);

// Shows on standard error how a crawl goes. Beside the crawl, on its loop.
class Progress {
public:
    // The crawl outlives it. `others`, if given: what waits besides the crawl's URLs.
    Progress(ProgressForm form, bool has_color, crawl::Watched& crawl,
             std::function<std::uint64_t()> others = {});
    ~Progress();
    Progress(const Progress&) = delete;
    Progress& operator=(const Progress&) = delete;

    // Until cancelled.
    aio::Co<> run();

    // The crawl is over: the block goes; as JSON, the last numbers come.
    void finish();

    // A line for the user, or several; a block makes room for them.
    void say(std::string_view line);

    // The same in the colour of what went wrong, if there is to be colour.
    void say_wrong(std::string_view line);

private:
    class Block;

    ProgressForm form_;
    bool has_color_;
    ProgressWatch watch_;
    std::unique_ptr<Block> block_;
};

}  // namespace weft::cli
