#pragma once

#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "frontier/seen/bloom.h"
#include "frontier/seen/fingerprint.h"
#include "frontier/store/run_file.h"

namespace weft::frontier {

// Fingerprints in ascending order in a file, in blocks of 4 KiB, with the first of each block at
// the end; and beside it a file with a filter of them. Writing takes little memory, whatever the
// size.
class SeenRunWriter {
public:
    SeenRunWriter(aio::FileSystem& files, const std::filesystem::path& path, BloomShape filter);

    // Equal ones, and those that follow, in ascending order.
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

class SeenRun {
public:
    SeenRun(aio::FileSystem& files, const std::filesystem::path& path);

    std::uint64_t count() const { return count_; }

    // Asked for ascending or any fingerprints; reads a block unless the filter says no.
    bool contains(const Fingerprint& print);
    void prefetch(const Fingerprint& print) const { filter_.prefetch(print.high); }

    static std::filesystem::path filter_path(std::filesystem::path path) {
        return path += ".filter";
    }

    // The filter is read when it is first wanted, as much of it as is for fingerprints from
    // `first` on (of their first halves); and may be let go again.
    void load_filter(std::uint64_t first);
    void unload_filter() { filter_ = Bloom(); }
    bool has_filter() const { return !filter_.is_empty(); }
    std::size_t filter_bytes(std::uint64_t first) const {
        return (filter_shape_.block_count - filter_shape_.block_of(first)) *
               BloomShape::kBlockBytes;
    }
    std::size_t memory_bytes() const { return filter_.memory_bytes() + fences_.size() * 8; }

    // From front to back.
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
