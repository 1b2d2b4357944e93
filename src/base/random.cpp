#include "base/random.h"

#include <bit>

#include <sys/random.h>

#include "base/assert.h"

namespace weft {

// splitmix64 fills the state, and xoshiro256** makes the sequence (algorithms of Blackman and
// Vigna, in the public domain).
Random::Random(std::uint64_t seed) {
    for (std::uint64_t& word : state_) {
        seed += 0x9E3779B97F4A7C15;
        std::uint64_t z = seed;
        z = (z ^ (z >> 30)) * 0xBF58476D1CE4E5B9;
        z = (z ^ (z >> 27)) * 0x94D049BB133111EB;
        word = z ^ (z >> 31);
    }
}

Random Random::from_system() {
    std::uint64_t seed = 0;
    WEFT_ASSERT(getrandom(&seed, sizeof seed, 0) == sizeof seed);
    return Random(seed);
}

std::uint64_t Random::operator()() {
    const std::uint64_t result = std::rotl(state_[1] * 5, 7) * 9;
    const std::uint64_t shifted = state_[1] << 17;
    state_[2] ^= state_[0];
    state_[3] ^= state_[1];
    state_[1] ^= state_[2];
    state_[0] ^= state_[3];
    state_[2] ^= shifted;
    state_[3] = std::rotl(state_[3], 45);
    return result;
}

std::uint64_t Random::below(std::uint64_t bound) {
    WEFT_ASSERT(bound > 0);
    // 2^64 is in general not a multiple of `bound`. Values below `unfair` (2^64 modulo bound) are
    // drawn again: with them the small results would be more likely.
    const std::uint64_t unfair = (0 - bound) % bound;
    std::uint64_t value = (*this)();
    while (value < unfair) value = (*this)();
    return value % bound;
}

double Random::unit() {
    // A double has 53 bits of precision: the high 53 bits, scaled.
    return static_cast<double>((*this)() >> 11) * 0x1.0p-53;
}

}  // namespace weft
