#pragma once

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "aio/files/files.h"
#include "base/units.h"

namespace weft::archive {

// Sorts any number of lines by their bytes, in bounded memory: an external merge sort. Sorted runs
// are written to files, which are merged at the end and removed. Blocks. Every function may throw
// IoError.
class LineSorter {
public:
    // The files of runs are named `scratch` with a number appended. The destructor removes them.
    // `files` must outlive the sorter.
    LineSorter(aio::FileSystem& files, std::filesystem::path scratch,
               std::size_t memory_bytes_max = 64_MiB);
    ~LineSorter();
    LineSorter(const LineSorter&) = delete;
    LineSorter& operator=(const LineSorter&) = delete;

    // REQUIRES: the line ends with a line feed and contains no other.
    void add(std::string_view line);

    // Calls `take` with all lines in order; each view is valid during the call only. The sorter is
    // empty afterwards.
    void finish(const std::function<void(std::string_view)>& take);

private:
    // A line in `lines_`.
    struct LineSpan {
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
    };
    class Run;

    void sort();
    void spill();
    void merge(std::size_t begin, std::size_t end,
               const std::function<void(std::string_view)>& take);
    std::filesystem::path make_run();
    std::string_view text(LineSpan entry) const {
        return std::string_view(lines_).substr(entry.begin, entry.size);
    }

    aio::FileSystem& files_;
    std::filesystem::path scratch_;
    std::size_t memory_bytes_max_;
    std::string lines_;  // The lines in memory, in the order in which they were added.
    std::vector<LineSpan> entries_;
    std::vector<std::filesystem::path> runs_;  // The files that exist.
    unsigned run_count_ = 0;
};

}  // namespace weft::archive
