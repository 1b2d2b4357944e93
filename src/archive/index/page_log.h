#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "aio/files/files.h"
#include "aio/task/co.h"
#include "archive/index/page_entry.h"

namespace weft::archive {

// Writes pages.jsonl or robots.jsonl: one JSON object a line, the first line names the format.
// Lines are gathered and written 64 KiB at a time, on the loop's thread; only syncing is not. On
// one loop.
class PageLog {
public:
    // Goes on with one, or makes it: the first line is added if the file is empty. Throws IoError.
    PageLog(aio::FileSystem& files, const std::filesystem::path& path,
            std::string_view format_line = kPagesFormatLine);

    void add(const PageEntry& entry) { add_line(to_json_line(entry)); }
    void add_line(std::string_view line);

    // Of the file when all that was added is in it.
    std::uint64_t size() const { return size_; }

    // What was added is with the system: it survives the death of the process.
    void flush();

    // What was added survives a loss of power. A failed write is thrown here.
    aio::Co<> sync();

private:
    struct State;

    std::shared_ptr<State> state_;
    std::string pending_;
    std::uint64_t size_ = 0;
};

}  // namespace weft::archive
