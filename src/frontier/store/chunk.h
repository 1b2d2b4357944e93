#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace weft::frontier {

// Consecutive entries of a lane, packed together. A chunk is the unit of reading.
struct Chunk {
    std::uint64_t first = 0;  // Sequence number of the first entry.
    std::uint64_t count = 0;
    std::size_t size = 0;  // In bytes, head included.

    static constexpr std::size_t kHeadSize = 32;  // Checksum, first, count, size.
    static constexpr std::uint64_t kCountMax = 16;
};

// Reads the head of the chunk at the front of `bytes`. Nothing is checked. REQUIRES: at least
// kHeadSize bytes.
Chunk read_chunk_head(std::string_view bytes);

// Packs entries into chunks. Each entry is written as its difference to the one before it in the
// chunk.
class ChunkPacker {
public:
    // `first` is the sequence number of the first entry.
    explicit ChunkPacker(std::uint64_t first) : next_(first) {}

    void add(std::string_view entry, std::string_view referrer);

    // Whether there are complete chunks.
    bool is_ready() const { return !ready_.empty(); }

    // Returns the complete chunks; with `all` also the last, incomplete one.
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

// Reads the entries of a chunk one by one. The chunk stays packed in memory.
class ChunkReader {
public:
    // A reader without entries.
    ChunkReader() = default;

    // REQUIRES: `chunk` is one whole chunk and nothing else.
    explicit ChunkReader(std::string chunk);

    // Whether the checksum matches. REQUIRES: no entry was read yet.
    bool is_good() const;

    bool is_at_end() const { return left_ == 0; }

    // Goes to the next entry. REQUIRES: !is_at_end().
    void advance();

    // The current entry; valid until the next advance().
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
