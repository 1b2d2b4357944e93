#pragma once

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>

#include "aio/files/files.h"
#include "base/units.h"

// Runs: files with sorted content that are written once, from front to back, and then only read.
namespace weft::frontier {

// Writes a run. Throws IoError.
class RunWriter {
public:
    RunWriter(aio::FileSystem& files, const std::filesystem::path& path);

    std::uint64_t offset() const { return offset_; }
    void append(std::string_view bytes);

    // Appends `footer` and its place, and syncs the file. It survives a loss of power once the
    // directory is synced too.
    void finish(std::string_view footer);

private:
    static constexpr std::size_t kBufferSize = 256_KiB;

    std::unique_ptr<aio::File> file_;
    std::string buffer_;
    std::uint64_t offset_ = 0;
};

// A run that is open for reading. Throws IoError, or StoreError if the bytes are not those that
// were written (H90).
class RunFile {
public:
    RunFile(aio::FileSystem& files, std::filesystem::path path);

    // The footer; its checksum is verified.
    std::string read_footer();

    // Reads exactly `size` bytes. Fails if the file is too short.
    void read(std::uint64_t offset, std::size_t size, std::string& into);

    // Throws StoreError: the file is damaged near `offset`.
    [[noreturn]] void fail(std::uint64_t offset) const;
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
    std::unique_ptr<aio::File> file_;
};

// Reads a run from front to back through a window. The file outlives it.
class RunReader {
public:
    explicit RunReader(RunFile& file) : file_(file) {}

    // `size` bytes at `offset`, valid until the next call. It reads ahead, but not past `end`.
    // Cheap if the bytes follow those of the last call.
    std::string_view peek(std::uint64_t offset, std::size_t size, std::uint64_t end);

private:
    static constexpr std::size_t kWindowSize = 128_KiB;

    RunFile& file_;
    std::string window_;
    std::uint64_t start_ = 0;
};

}  // namespace weft::frontier
