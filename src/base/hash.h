#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace weft {

// XXH3, 64 bits. Fast, not secret: where outsiders choose the keys, give a random seed (H74).
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

// The seed for tables whose keys strangers choose, so that nobody can choose keys that collide
// (H74). Drawn once a process. It decides only where a key lies in a table, never what a program
// gives: a simulation that is run again from its seed gives the same.
std::uint64_t secret_seed();

struct Hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
};

// XXH3, 128 bits: where two keys must never meet.
Hash128 hash128(std::string_view bytes, std::uint64_t seed = 0);

// The same hash (seed 0) in pieces: how they are cut makes no difference.
class Hash64 {
public:
    Hash64();

    void update(std::string_view bytes);

    // Of all so far.
    std::uint64_t finish() const;

    // From nothing again.
    void reset();

private:
    static constexpr std::size_t kStateBytes = 576;
    alignas(64) std::array<std::byte, kStateBytes> state_;
};

// SHA-1 in pieces: the digest that WARC tools compare.
class Sha1 {
public:
    Sha1();
    ~Sha1();
    Sha1(const Sha1&) = delete;
    Sha1& operator=(const Sha1&) = delete;

    void update(std::string_view bytes);

    // The 20 bytes of the digest; the object starts again from nothing.
    std::string finish();

private:
    void* context_;
};

}  // namespace weft
