#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "aio/files/files.h"
#include "aio/task/co.h"
#include "archive/index/outcome.h"

namespace weft::archive {

// Writes pages.jsonl or robots.jsonl: one JSON object a line; the first line names the format.
// Lines are collected and written 64 KiB at a time, on the loop's thread; only sync() uses another
// thread. Used on one loop.
class PageLog {
public:
    // Opens a file to append to it, or creates it. Adds the first line if the file is empty. Throws
    // IoError.
    PageLog(aio::FileSystem& files, const std::filesystem::path& path,
            std::string_view format_line = kPagesFormatLine);

    // Takes a line with its line feed. Does not throw for a failed write; sync() does.
    void add_line(std::string_view line);

    // The size of the file, with everything that was added.
    std::uint64_t size() const { return size_; }

    // Passes everything added to the system, so that it survives the end of the process.
    void flush();

    // After it returns, everything added survives a loss of power. Throws the IoError of an earlier
    // failed write, if any. If it is cancelled, the sync still completes on its thread.
    aio::Co<> sync();

private:
    struct State;

    std::shared_ptr<State> state_;
    std::string pending_;
    std::uint64_t size_ = 0;
};

}  // namespace weft::archive
