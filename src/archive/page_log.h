#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>

#include "aio/co.h"
#include "aio/files.h"
#include "archive/page_entry.h"

namespace weft::archive {

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
