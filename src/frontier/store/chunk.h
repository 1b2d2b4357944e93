#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::frontier {

// Entries that follow one another in a lane, packed together: what is read at once.
struct Chunk {
    std::uint64_t first = 0;  // Sequence of the first entry.
    std::uint64_t count = 0;
    std::size_t size = 0;  // Of all of it.

    static constexpr std::size_t kHeadSize = 32;  // Checksum, first, count, size.
    static constexpr std::uint64_t kCountMax = 16;
};

// What the chunk at the front of `bytes` is. REQUIRES: at least kHeadSize bytes.
Chunk read_chunk_head(std::string_view bytes);

// Packs entries: each is written as its difference to the one before.
class ChunkPacker {
public:
    // `first` is the sequence of the first entry of the chunk to come.
    explicit ChunkPacker(std::uint64_t first) : next_(first) {}

    void add(std::string_view entry, std::string_view referrer);

    // Whether there are chunks that are complete.
    bool is_ready() const { return !ready_.empty(); }

    // These; with `all` also the last one.
    std::string take(bool all);

private:
    void end_chunk();

    std::uint64_t next_;
    std::uint64_t count_ = 0;
    std::string body_;
    std::string entry_;
    std::string referrer_;
    std::string ready_;
};

// Gives the entries of a chunk one by one; it is kept packed.
class ChunkReader {
public:
    // Nothing to read.
    ChunkReader() = default;

    // REQUIRES: the whole chunk, and no more.
    explicit ChunkReader(std::string chunk);

    // Whether the checksum is right. REQUIRES: nothing was read yet.
    bool is_good() const;

    bool is_at_end() const { return left_ == 0; }

    // Goes to the next entry. REQUIRES: !is_at_end().
    void advance();

    // The entry at hand, until the next advance().
    std::uint64_t sequence() const { return next_ - 1; }
    std::string_view entry() const { return entry_; }
    std::string_view referrer() const { return referrer_; }

private:
    std::string bytes_;
    std::size_t place_ = 0;
    std::uint64_t next_ = 0;
    std::uint64_t left_ = 0;
    std::string entry_;
    std::string referrer_;
};

}  // namespace weft::frontier
