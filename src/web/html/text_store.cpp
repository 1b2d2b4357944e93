#include "web/html/text_store.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "base/units.h"

namespace weft::web {
namespace {

constexpr std::size_t kBlockBytesMin = 4_KiB;
constexpr std::size_t kBlockBytesMax = 256_KiB;

}  // namespace

std::string_view TextStore::keep(std::string_view text) {
    if (text.empty()) return {};
    WEFT_ASSERT(text.size() <= room_bytes());
    if (text.size() > block_room_) {
        // Blocks grow with the store, so that a small page needs little memory and a large one few
        // blocks.
        const std::size_t usual = std::clamp(bytes_kept_, kBlockBytesMin, kBlockBytesMax);
        block_room_ = std::max(usual, text.size());
        blocks_.push_back(std::make_unique_for_overwrite<char[]>(block_room_));
        next_ = blocks_.back().get();
        memory_bytes_ += block_room_;
    }
    std::memcpy(next_, text.data(), text.size());
    const std::string_view kept(next_, text.size());
    next_ += text.size();
    block_room_ -= text.size();
    bytes_kept_ += text.size();
    return kept;
}

}  // namespace weft::web
