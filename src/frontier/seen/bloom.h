#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include "base/zero_array.h"

namespace weft::frontier {

// The size of a filter, and how many bits each key sets in it.
struct BloomShape {
    std::size_t block_count = 0;
    std::uint32_t probe_count = 7;

    static constexpr std::size_t kBlockWords = 8;
    static constexpr std::size_t kBlockBits = 512;
    static constexpr std::size_t kBlockBytes = kBlockBits / 8;
    static constexpr std::size_t kBitsPerKey = 10;

    static BloomShape of(std::size_t key_count, std::size_t bits_per_key = kBitsPerKey) {
        const std::size_t bits = key_count * bits_per_key;
        return {.block_count = std::max<std::size_t>(1, (bits + kBlockBits - 1) / kBlockBits),
                .probe_count = std::max(1U, static_cast<std::uint32_t>(bits_per_key * 7 / 10))};
    }

    std::size_t bytes() const { return block_count * kBlockBytes; }

    // A larger key never has a smaller block. So sorted keys fill the blocks in order
    // (BloomWriter).
    std::size_t block_of(std::uint64_t key) const { return (key >> 32) * block_count >> 32; }

    // Calls `each(bit)` for the bits of the key, and stops if it returns false. Returns whether it
    // never did. The multiplier is 2^64 divided by the golden ratio; it spreads the bits of
    // neighbouring keys.
    template <class Each>
    bool for_each_bit(std::uint64_t key, Each each) const {
        std::uint64_t bits = key * 0x9e3779b97f4a7c15U;
        for (std::uint32_t i = 0; i < probe_count; ++i, bits >>= 9) {
            if (!each(bits & (kBlockBits - 1))) return false;
        }
        return true;
    }
};

// A Bloom filter: it can tell for most keys that are not in a set that they are not, and never errs
// for a key that is. All bits of a key are in one cache line. With ten bits a key, one of 70 absent
// keys passes; with four bits, one of six. REQUIRES: keys are hashes.
class Bloom {
public:
    Bloom() = default;
    // Leaves out the blocks before `first_block`: keys of those blocks always pass.
    explicit Bloom(BloomShape shape, std::size_t first_block = 0)
        : shape_(shape),
          first_block_(first_block),
          words_((shape.block_count - first_block) * BloomShape::kBlockWords) {}

    // The filter's memory, to read or write it as a whole.
    std::span<char> bytes() { return {reinterpret_cast<char*>(&words_[0]), size_bytes()}; }
    std::string_view bytes() const {
        return {reinterpret_cast<const char*>(&words_[0]), size_bytes()};
    }
    std::size_t first_block() const { return first_block_; }

    // A filter without blocks lets every key pass.
    bool is_empty() const { return shape_.block_count == 0; }
    std::size_t memory_bytes() const { return words_.memory_bytes(); }

    void add(std::uint64_t key) {
        std::uint64_t* block = &words_[word_of(key)];
        shape_.for_each_bit(key, [block](std::uint64_t bit) {
            block[bit / 64] |= std::uint64_t{1} << (bit % 64);
            return true;
        });
    }

    void prefetch(std::uint64_t key) const {
        if (!is_empty() && has_block_of(key)) __builtin_prefetch(&words_[word_of(key)]);
    }

    bool may_contain(std::uint64_t key) const {
        if (is_empty() || !has_block_of(key)) return true;
        const std::uint64_t* block = &words_[word_of(key)];
        return shape_.for_each_bit(
            key, [block](std::uint64_t bit) { return (block[bit / 64] >> (bit % 64) & 1) != 0; });
    }

private:
    std::size_t size_bytes() const {
        return (shape_.block_count - first_block_) * BloomShape::kBlockBytes;
    }
    bool has_block_of(std::uint64_t key) const { return shape_.block_of(key) >= first_block_; }
    std::size_t word_of(std::uint64_t key) const {
        return (shape_.block_of(key) - first_block_) * BloomShape::kBlockWords;
    }

    BloomShape shape_{};
    std::size_t first_block_ = 0;
    ZeroArray<std::uint64_t> words_;
};

// Produces the bytes of a filter from front to back, from keys in ascending order. It holds only
// one block in memory.
class BloomWriter {
public:
    explicit BloomWriter(BloomShape shape) : shape_(shape) {}

    // Appends the completed blocks to `out`.
    void add(std::uint64_t key, std::string& out) {
        while (block_number_ < shape_.block_of(key)) end_block(out);
        shape_.for_each_bit(key, [this](std::uint64_t bit) {
            block_[bit / 64] |= std::uint64_t{1} << (bit % 64);
            return true;
        });
    }

    // Appends the remaining blocks.
    void finish(std::string& out) {
        while (block_number_ < shape_.block_count) end_block(out);
    }

    BloomShape shape() const { return shape_; }

private:
    void end_block(std::string& out) {
        out.append(reinterpret_cast<const char*>(block_.data()), sizeof block_);
        block_ = {};
        ++block_number_;
    }

    BloomShape shape_;
    std::array<std::uint64_t, BloomShape::kBlockWords> block_{};
    std::size_t block_number_ = 0;
};

}  // namespace weft::frontier
