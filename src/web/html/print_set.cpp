#include "web/html/print_set.h"

#include <utility>

namespace weft::web {
namespace {

constexpr std::size_t kFirstSlots = 1024;  // A power of two, as all sizes are.

}  // namespace

bool PrintSet::insert(std::uint64_t hash) {
    if (hash == 0) hash = 1;  // 0 marks a free slot.
    if (2 * (count_ + 1) > slots_.size()) {
        std::vector<std::uint64_t> old(slots_.empty() ? kFirstSlots : 2 * slots_.size());
        old.swap(slots_);
        for (const std::uint64_t each : old) {
            if (each != 0) place(each);
        }
    }
    if (!place(hash)) return false;
    ++count_;
    return true;
}

bool PrintSet::place(std::uint64_t hash) {
    const std::size_t mask = slots_.size() - 1;
    for (std::size_t i = hash & mask;; i = (i + 1) & mask) {
        if (slots_[i] == hash) return false;
        if (slots_[i] != 0) continue;
        slots_[i] = hash;
        return true;
    }
}

void PrintSet::clear() {
    slots_ = {};
    count_ = 0;
}

}  // namespace weft::web
