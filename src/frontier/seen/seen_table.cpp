#include "frontier/seen/seen_table.h"

#include <algorithm>
#include <cstring>

#include "base/assert.h"
#include "frontier/store/store_error.h"

namespace weft::frontier {
namespace {

constexpr std::size_t kFirstCapacity = 16;

// Places behind the last one that fingerprints point to.
constexpr std::size_t kOverflowSlots = 48;

// Above four fifths, clusters grow long. Growing by only a quarter moves little and wastes little
// memory.
constexpr bool is_full(std::size_t size, std::size_t capacity) {
    return size * 5 >= capacity * 4;
}
constexpr std::size_t next_capacity(std::size_t capacity) {
    return capacity + capacity / 4 + kFirstCapacity;
}

}  // namespace

// 1/32 more than the share, as the parts are not exactly equal.
std::size_t SeenTable::capacity_for(std::size_t count) {
    const std::size_t share = count / (std::size_t{1} << kPartBits);
    return share / 4 * 5 + share / 32 + kFirstCapacity;
}

void SeenTable::reserve(std::size_t count) {
    const std::size_t capacity = capacity_for(count);
    for (Part& part : parts_) {
        if (part.capacity < capacity) grow(part, capacity);
    }
}

std::size_t SeenTable::memory_bytes_for(std::size_t count) {
    const std::size_t part = (capacity_for(count) + kOverflowSlots) * sizeof(Fingerprint);
    const bool is_large = part >= ZeroArray<Fingerprint>::kLargeBytes;
    // Large arrays are rounded up to huge pages.
    return (part + (is_large ? ZeroArray<Fingerprint>::kHugePage : 0)) << kPartBits;
}

void SeenTable::prefetch(const Fingerprint& print) const {
    const Part& part = parts_[part_of(print)];
    if (part.capacity == 0) return;
    const auto* slot = reinterpret_cast<const char*>(&part.slots[part.place_of(print)]);
    __builtin_prefetch(slot);
    // A cluster may go on into the next cache line.
    __builtin_prefetch(slot + 64);
}

bool SeenTable::contains(const Fingerprint& print) const {
    const Part& part = parts_[part_of(print)];
    if (part.capacity == 0) return false;
    const Fingerprint* slot = &part.slots[part.place_of(print)];
    while (!slot->is_none() && *slot < print) ++slot;
    return *slot == print;
}

bool SeenTable::insert(const Fingerprint& print) {
    Part& part = parts_[part_of(print)];
    if (is_full(part.size, part.capacity)) grow(part, next_capacity(part.capacity));
    for (bool has_grown = false;; has_grown = true) {
        std::size_t place = part.place_of(print);
        while (!part.slots[place].is_none() && part.slots[place] < print) ++place;
        if (part.slots[place] == print) return false;
        if (put(part, place, print)) break;
        // Clusters have used up the places at the end. This is rare, and happens twice in a row in
        // a forged file only, which may hold any number of fingerprints that share a place.
        if (has_grown) {
            throw StoreError("the fingerprints of the URLs seen are not those of a crawl", kWayOut);
        }
        grow(part, next_capacity(part.capacity));
    }
    ++size_;
    return true;
}

// Makes room by moving the cluster from `place` on by one. Returns false if it reaches the part's
// end.
bool SeenTable::put(Part& part, std::size_t place, const Fingerprint& print) {
    std::size_t end = place;
    while (!part.slots[end].is_none()) ++end;
    if (end + 1 >= part.slots.size()) return false;
    std::memmove(&part.slots[place + 1], &part.slots[place], (end - place) * sizeof(Fingerprint));
    part.slots[place] = print;
    ++part.size;
    return true;
}

void SeenTable::grow(Part& part, std::size_t capacity) {
    Part larger;
    larger.slots = ZeroArray<Fingerprint>(capacity + kOverflowSlots);
    larger.capacity = larger.slots.size() - kOverflowSlots;
    // In ascending order, so each goes to its own place or directly behind the one before.
    std::size_t free = 0;
    for (std::size_t i = 0; i < part.slots.size(); ++i) {
        const Fingerprint& print = part.slots[i];
        if (print.is_none()) continue;
        const std::size_t place = std::max(free, larger.place_of(print));
        WEFT_ASSERT(place + 1 < larger.slots.size());
        larger.slots[place] = print;
        free = place + 1;
        ++larger.size;
    }
    WEFT_ASSERT(larger.size == part.size);
    memory_bytes_ += larger.slots.memory_bytes() - part.slots.memory_bytes();
    part = std::move(larger);
}

void SeenTable::clear() {
    parts_ = {};
    size_ = 0;
    memory_bytes_ = 0;
}

}  // namespace weft::frontier
