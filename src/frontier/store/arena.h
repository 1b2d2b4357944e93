#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <string_view>
#include <vector>

#include "base/units.h"

namespace weft::frontier {

// Memory for many small objects that are all freed together. Nothing is destroyed: only for trivial
// types. Pointers are valid until clear().
class Arena {
public:
    // Aligned to 8 bytes.
    char* allocate(std::size_t size) {
        size = (size + 7) & ~std::size_t{7};
        if (size > left_) add_block(size);
        char* memory = next_;
        next_ += size;
        left_ -= size;
        return memory;
    }

    // Copies the text into the arena.
    std::string_view keep(std::string_view text) {
        if (text.empty()) return {};
        char* memory = allocate(text.size());
        std::memcpy(memory, text.data(), text.size());
        return {memory, text.size()};
    }

    std::size_t memory_bytes() const { return memory_bytes_; }

    void clear() {
        blocks_.clear();
        next_ = nullptr;
        left_ = memory_bytes_ = 0;
    }

private:
    static constexpr std::size_t kBlockSize = 64_KiB;

    void add_block(std::size_t size) {
        const std::size_t block = size > kBlockSize ? size : std::size_t{kBlockSize};
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(block));
        next_ = blocks_.back().get();
        left_ = block;
        memory_bytes_ += block;
    }

    std::vector<std::unique_ptr<char[]>> blocks_;
    char* next_ = nullptr;
    std::size_t left_ = 0;
    std::size_t memory_bytes_ = 0;
};

}  // namespace weft::frontier
