#pragma once

#include <array>
#include <cstddef>
#include <utility>

#include "base/zero_array.h"
#include "frontier/seen/fingerprint.h"

namespace weft::frontier {

// A set of fingerprints in memory: about 17 bytes each, and always in order.
//
// Sixteen parts by the first bits, so that growing one moves a sixteenth and no step is long. In a
// part a fingerprint stands at the place that its next 32 bits point to, or, where that is taken,
// among its neighbours in ascending order: a probe touches one or two cache lines, ends at the
// first larger one, and a walk gives all in order, ready to be written as a sorted run.
class SeenTable {
public:
    // Makes room for so many, all told. Else many put in in ascending order would crowd together at
    // the front of a part that is still small.
    void reserve(std::size_t count);

    // What that takes, at most.
    static std::size_t memory_bytes_for(std::size_t count);

    // Brings the place of `print` into the cache: for all links of a page, then contains() or
    // insert() for each. At ten million that is a third of the time.
    void prefetch(const Fingerprint& print) const;

    bool contains(const Fingerprint& print) const;

    // Whether it was new.
    bool insert(const Fingerprint& print);

    // In ascending order.
    template <class Visitor>
    void for_each(Visitor visitor) const {
        for (const Part& part : parts_) {
            for (std::size_t i = 0; i < part.slots.size(); ++i) {
                if (!part.slots[i].is_none()) visitor(part.slots[i]);
            }
        }
    }

    // Likewise, and they are gone then, with their memory, as they were visited.
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

    // `capacity` places that fingerprints point to, and a few behind them for the last ones, of
    // which the very last is never used.
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
