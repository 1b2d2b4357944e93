#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "base/zero_array.h"
#include "frontier/seen/fingerprint.h"

namespace weft::frontier {

// A set of fingerprints in memory: about 17 bytes each, always in ascending order.
//
// It has sixteen parts, chosen by the first bits, so that growing moves only a sixteenth at a time
// and no step is long. Within a part the next 32 bits give the place. If that is taken, the
// fingerprint stands among its neighbours, in ascending order. So a lookup touches one or two cache
// lines and stops at the first larger fingerprint, and a walk gives all in order, ready to be
// written as a sorted run. That order is why it shares no code with the other hash tables.
class SeenTable {
public:
    // Makes room for `count` fingerprints in total. Call it before inserting many in ascending
    // order: they would otherwise crowd at the front of a part that is still small.
    void reserve(std::size_t count);

    // The most memory that reserve(count) takes.
    static std::size_t memory_bytes_for(std::size_t count);

    // Brings the place of `print` into the cache: call it for all links of a page, then contains()
    // or insert() for each. With ten million fingerprints this saves a third of the time.
    void prefetch(const Fingerprint& print) const;

    bool contains(const Fingerprint& print) const;

    // Returns whether it was new. Throws StoreError if fingerprints crowd as hashes never do.
    bool insert(const Fingerprint& print);

    // Visits all in ascending order.
    template <class Visitor>
    void for_each(Visitor visitor) const {
        for (const Part& part : parts_) {
            for (std::size_t i = 0; i < part.slots.size(); ++i) {
                if (!part.slots[i].is_none()) visitor(part.slots[i]);
            }
        }
    }

    // Visits all in ascending order and removes them; each part's memory is freed once it is
    // visited.
    template <class Visitor>
    void drain(Visitor visitor) {
        for (Part& part : parts_) {
            for (std::size_t i = 0; i < part.slots.size(); ++i) {
                if (!part.slots[i].is_none()) visitor(part.slots[i]);
            }
            Part gone = std::exchange(part, {});
        }
        clear();
    }

    std::size_t size() const { return size_; }
    std::size_t memory_bytes() const { return memory_bytes_; }
    void clear();

private:
    static constexpr int kPartBits = 4;

    // `capacity` places that fingerprints point to, and a few places behind them for those that
    // overflow. The very last place is never used, so that a lookup always finds an empty one.
    struct Part {
        ZeroArray<Fingerprint> slots;
        std::size_t capacity = 0;
        std::size_t size = 0;

        std::size_t place_of(const Fingerprint& print) const {
            return ((print.high >> (64 - kPartBits - 32)) & 0xffffffffU) * capacity >> 32;
        }
    };

    static std::size_t part_of(const Fingerprint& print) { return print.high >> (64 - kPartBits); }
    static std::size_t capacity_for(std::size_t count);
    void grow(Part& part, std::size_t capacity);
    static bool put(Part& part, std::size_t place, const Fingerprint& print);

    std::array<Part, 1 << kPartBits> parts_;
    std::size_t size_ = 0;
    std::size_t memory_bytes_ = 0;
};

}  // namespace weft::frontier
