#pragma once

#include <cstddef>
#include <memory>
#include <string_view>
#include <vector>

namespace weft::web {

// Stores copies of many short texts in few allocations. A view that keep() returns is valid until
// the store is destroyed, also after the store is moved.
class TextStore {
public:
    explicit TextStore(std::size_t bytes_max) : bytes_max_(bytes_max) {}

    std::size_t room_bytes() const { return bytes_max_ - bytes_kept_; }

    std::size_t memory_bytes() const { return memory_bytes_; }

    // REQUIRES: text.size() <= room_bytes().
    std::string_view keep(std::string_view text);

private:
    std::vector<std::unique_ptr<char[]>> blocks_;
    std::size_t bytes_max_;
    std::size_t bytes_kept_ = 0;
    std::size_t memory_bytes_ = 0;
    std::size_t block_room_ = 0;  // The free bytes at `next_`.
    char* next_ = nullptr;
};

}  // namespace weft::web
