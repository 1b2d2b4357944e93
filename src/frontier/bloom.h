#pragma once

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <string>
#include <string_view>
#include <vector>

namespace weft::frontier {

// A filter that says of most keys which are not in a set that they are not: ten bits a key, all
// seven of a key in one cache line, one key in 70 let through. Keys are hashes already.
class Bloom {
public:
    Bloom() = default;
    explicit Bloom(std::size_t key_count) : words_(block_count(key_count) * kBlockWords) {}

    static Bloom from_bytes(std::string_view bytes) {
        Bloom bloom;
        bloom.words_.resize(bytes.size() / sizeof(std::uint64_t));
        std::memcpy(bloom.words_.data(), bytes.data(), bytes.size());
        return bloom;
    }
    std::string_view bytes() const {
        return {reinterpret_cast<const char*>(words_.data()), memory_bytes()};
    }

    // Nothing in it lets everything through.
    bool is_empty() const { return words_.empty(); }
    std::size_t memory_bytes() const { return words_.size() * sizeof(std::uint64_t); }

    void add(std::uint64_t key) {
        std::uint64_t* block = &words_[block_of(key)];
        for_each_bit(key, [block](std::uint64_t bit) {
            block[bit / 64] |= std::uint64_t{1} << (bit % 64);
            return true;
        });
    }

    void prefetch(std::uint64_t key) const {
        if (!words_.empty()) __builtin_prefetch(&words_[block_of(key)]);
    }

    bool may_contain(std::uint64_t key) const {
        if (words_.empty()) return true;
        const std::uint64_t* block = &words_[block_of(key)];
        return for_each_bit(
            key, [block](std::uint64_t bit) { return (block[bit / 64] >> (bit % 64) & 1) != 0; });
    }

private:
    static constexpr std::size_t kBlockWords = 8;
    static constexpr std::size_t kBlockBits = 512;
    static constexpr std::size_t kBitsPerKey = 10;
    static constexpr int kBitCount = 7;

    static std::size_t block_count(std::size_t key_count) {
        return std::max<std::size_t>(1, (key_count * kBitsPerKey + kBlockBits - 1) / kBlockBits);
    }

    std::size_t block_of(std::uint64_t key) const {
        return ((key >> 32) * (words_.size() / kBlockWords) >> 32) * kBlockWords;
    }

    // While `each` says to go on; whether it always did.
    template <class Each>
    static bool for_each_bit(std::uint64_t key, Each each) {
        std::uint64_t bits = key * 0x9e3779b97f4a7c15U;
        for (int i = 0; i < kBitCount; ++i, bits >>= 9) {
            if (!each(bits & (kBlockBits - 1))) return false;
        }
        return true;
    }

    std::vector<std::uint64_t> words_;
};

}  // namespace weft::frontier
