#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontier/seen/bloom.h"
#include "frontier/seen/fingerprint.h"
#include "frontier/store/run_file.h"

namespace weft::frontier {

// Writes a file of fingerprints in ascending order: blocks of 4 KiB, then the first fingerprint of
// each block (the fences). A second file beside it holds a filter of them. Writing needs little
// memory, whatever the size.
class SeenRunWriter {
public:
    SeenRunWriter(aio::FileSystem& files, const std::filesystem::path& path, BloomShape filter);

    // REQUIRES: ascending order. A fingerprint equal to the last one is ignored.
    void add(const Fingerprint& print);
    void finish();
    std::uint64_t count() const { return count_; }

private:
    void end_block();

    void write_filter(bool all);

    RunWriter out_;
    RunWriter filter_out_;
    BloomWriter filter_;
    std::string filter_bytes_;
    std::uint64_t filter_sum_ = 0;
    std::string block_;
    std::string fences_;
    Fingerprint last_;
    std::uint64_t count_ = 0;
};

// Reads a file that SeenRunWriter has written. The fences are in memory; the filter only if it was
// loaded. Not thread-safe, not even for contains().
class SeenRun {
public:
    SeenRun(aio::FileSystem& files, const std::filesystem::path& path);

    std::uint64_t count() const { return count_; }

    // Reads a block from disk, unless the filter excludes the fingerprint.
    bool contains(const Fingerprint& print);
    void prefetch(const Fingerprint& print) const { filter_.prefetch(print.high); }

    static std::filesystem::path filter_path(std::filesystem::path path) {
        return path += ".filter";
    }

    // Loads the part of the filter for fingerprints whose `high` is at least `first`. It may be
    // unloaded again; without a filter every contains() reads the disk.
    void load_filter(std::uint64_t first);
    void unload_filter() { filter_ = Bloom(); }
    bool has_filter() const { return !filter_.is_empty(); }
    std::size_t filter_bytes(std::uint64_t first) const {
        return (filter_shape_.block_count - filter_shape_.block_of(first)) *
               BloomShape::kBlockBytes;
    }
    std::size_t memory_bytes() const { return filter_.memory_bytes() + fences_.size() * 8; }

    // Reads all fingerprints from front to back. The run outlives it.
    class Cursor {
    public:
        explicit Cursor(SeenRun& run) : run_(run), reader_(run.file_) {}
        std::optional<Fingerprint> next();

    private:
        SeenRun& run_;
        RunReader reader_;
        std::string block_;
        std::size_t block_number_ = 0;
        std::size_t place_ = 0;
        std::size_t place_count_ = 0;
        std::optional<Fingerprint> last_;
    };

private:
    std::size_t check_block(std::size_t number, std::string_view block) const;

    aio::FileSystem& files_;
    RunFile file_;
    std::uint64_t count_ = 0;
    std::uint64_t blocks_end_ = 0;
    BloomShape filter_shape_;
    std::uint64_t filter_sum_ = 0;
    std::vector<std::uint64_t> fences_;
    Bloom filter_;
    std::string block_;
};

}  // namespace weft::frontier
