#pragma once

#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <string_view>

namespace weft {

// XXH3, 64 bits. It is fast and not secret: where outsiders choose the keys, pass a random seed
// (H74).
std::uint64_t hash64(std::string_view bytes, std::uint64_t seed = 0);

// The seed for hash tables whose keys come from outside, so that an attacker cannot choose keys
// that collide (H74). It is drawn once per process. It decides only the place of a key in a table,
// never a result: a simulation that runs again from the same seed still gives the same output.
std::uint64_t secret_seed();

// The hash of such a table's keys, for std::unordered_map and the like.
struct SecretHash {
    using is_transparent = void;
    std::size_t operator()(std::string_view key) const { return hash64(key, secret_seed()); }
};

struct Hash128 {
    std::uint64_t high = 0;
    std::uint64_t low = 0;
};

// XXH3, 128 bits: for keys that must never collide.
Hash128 hash128(std::string_view bytes, std::uint64_t seed = 0);

// hash64() with seed 0, for input that comes in pieces. The cuts between pieces do not change the
// result.
class Hash64 {
public:
    Hash64();

    void update(std::string_view bytes);

    // The hash of all bytes so far. More bytes may follow.
    std::uint64_t finish() const;

    // Starts again with empty input.
    void reset();

private:
    static constexpr std::size_t kStateBytes = 576;
    alignas(64) std::array<std::byte, kStateBytes> state_;
};

enum class DigestAlgorithm : std::uint8_t { md5, sha1, sha256 };

// The digests that files and protocols name, for input that comes in pieces.
class MessageDigest {
public:
    explicit MessageDigest(DigestAlgorithm algorithm);

    void update(std::string_view bytes);

    // The bytes of the digest. Then the object starts again with empty input.
    std::string finish();

private:
    struct Free {
        void operator()(void* context) const;
    };

    std::unique_ptr<void, Free> context_;  // OpenSSL's EVP_MD_CTX.
};

std::string digest(DigestAlgorithm algorithm, std::string_view bytes);

}  // namespace weft
