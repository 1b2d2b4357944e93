#pragma once

#include <array>
#include <cstdint>

namespace weft {

// The source of random numbers for jitter, hash seeds and ids. One seed gives one sequence on every
// machine, so a simulation can be replayed. Not for secrets.
//
// Satisfies std::uniform_random_bit_generator.
class Random {
public:
    using result_type = std::uint64_t;

    explicit Random(std::uint64_t seed);

    // With a seed from the operating system.
    static Random from_system();

    std::uint64_t operator()();
    static constexpr std::uint64_t min() { return 0; }
    static constexpr std::uint64_t max() { return UINT64_MAX; }

    // A whole number in [0, bound). REQUIRES: bound > 0.
    std::uint64_t below(std::uint64_t bound);

    // A number in [0, 1).
    double unit();

private:
    std::array<std::uint64_t, 4> state_;
};

}  // namespace weft
