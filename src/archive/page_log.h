#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "aio/co.h"
#include "aio/files.h"
#include "archive/warc_writer.h"
#include "base/clock.h"

namespace weft::archive {

// A line of pages.jsonl: what became of one URL. Empty fields are left out.
struct PageEntry {
    std::string url;
    WallTime date;
    std::string ending;  // fetched, redirect, denied, failed
    int status = 0;
    std::string reason;
    std::string content_type;
    std::uint64_t content_bytes = 0;
    std::string title;
    std::string referrer;
    std::string redirect_target;
    std::uint32_t depth = 0;
    Duration elapsed{};
    Position position;  // Of the response record; no file: not archived.
};

std::string to_json_line(const PageEntry& entry);

// Writes pages.jsonl: one JSON object a line, the first line names the format. Lines are gathered
// and written 64 KiB at a time, on the loop's thread; only the final sync is not. On one loop.
class PageLog {
public:
    // Throws IoError if the file is there or cannot be made.
    explicit PageLog(const std::filesystem::path& path);

    void add(const PageEntry& entry);

    // Everything added is on disk. A failed write is thrown here.
    aio::Co<> close();

private:
    struct State;

    void flush();

    std::shared_ptr<State> state_;
    std::string pending_;
};

}  // namespace weft::archive
