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

// Sorts lines by their bytes, as many as the disk holds in bounded memory: sorted runs go to files
// of their own, which are merged in the end and removed.
class LineSorter {
public:
    // Runs are named after `scratch`, with a number behind it. Throws IoError, as all calls do.
    LineSorter(aio::FileSystem& files, std::filesystem::path scratch,
               std::size_t memory_bytes_max = 64_MiB);
    ~LineSorter();
    LineSorter(const LineSorter&) = delete;
    LineSorter& operator=(const LineSorter&) = delete;

    // A line with its end, which is its only one.
    void add(std::string_view line);

    // Gives all lines, sorted, to `take`; the views end with the call. The sorter is empty after.
    void finish(const std::function<void(std::string_view)>& take);

private:
    struct Entry {
        std::uint32_t begin = 0;
        std::uint32_t size = 0;
    };
    class Run;

    void sort();
    void spill();
    void merge(std::size_t begin, std::size_t end,
               const std::function<void(std::string_view)>& take);
    std::filesystem::path make_run();
    std::string_view text(Entry entry) const {
        return std::string_view(lines_).substr(entry.begin, entry.size);
    }

    aio::FileSystem& files_;
    std::filesystem::path scratch_;
    std::size_t memory_bytes_max_;
    std::string lines_;
    std::vector<Entry> entries_;
    std::vector<std::filesystem::path> runs_;
    unsigned run_count_ = 0;
};

}  // namespace weft::archive
