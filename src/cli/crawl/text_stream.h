#pragma once

#include <atomic>
#include <functional>
#include <string>

#include "aio/loop/executor.h"
#include "aio/task/co.h"
#include "crawl/folder/text_log.h"

namespace weft::cli {

// `--to -`: passes the lines of text.jsonl on to standard output once they are committed. It reads
// them from the file, so a slow reader does not slow the crawl, and memory is bounded; what the
// reader has not taken is in the file.
//
// Used on the loop's thread. The writes happen on a thread of its own, because they may block.
class TextStream {
public:
    // Begins with the next line that is committed. `log` outlives the stream.
    TextStream(crawl::TextLog& log, int fd);
    ~TextStream();

    // Passes lines on until end() is called and all are written, or the reader goes away: then it
    // calls `on_gone` and returns.
    aio::Co<> run(std::function<void()> on_gone);

    // There will be no more commits.
    void end();

    bool has_reader() const { return has_reader_; }

private:
    aio::Co<> send();

    crawl::TextLog& log_;
    int fd_;
    std::uint64_t sent_size_;
    bool has_reader_ = true;
    bool is_last_ = false;                 // There will be no more commits.
    std::atomic<bool> is_ending_ = false;  // Ends a write that waits for the reader.
    aio::ThreadPool thread_{1};
};

}  // namespace weft::cli
