#include "base/hash.h"

#include <new>
#include <utility>

#include <openssl/evp.h>
#define XXH_STATIC_LINKING_ONLY  // Makes XXH3_state_t complete: Hash64 holds one.
#include <xxhash.h>

#include "base/assert.h"
#include "base/random.h"

namespace weft {

std::uint64_t hash64(std::string_view bytes, std::uint64_t seed) {
    return XXH3_64bits_withSeed(bytes.data(), bytes.size(), seed);
}

std::uint64_t secret_seed() {
    static const std::uint64_t seed = Random::from_system()();
    return seed;
}

Hash128 hash128(std::string_view bytes, std::uint64_t seed) {
    const XXH128_hash_t hash = XXH3_128bits_withSeed(bytes.data(), bytes.size(), seed);
    return {hash.high64, hash.low64};
}

namespace {

// hash.h holds the state as plain bytes, so that it does not have to include xxhash.h.
XXH3_state_t* xxh3(std::array<std::byte, 576>& state) {
    static_assert(sizeof(XXH3_state_t) <= sizeof state);
    return reinterpret_cast<XXH3_state_t*>(state.data());
}

}  // namespace

Hash64::Hash64() {
    reset();
}

void Hash64::reset() {
    // xxhash.h asks for it before the first reset of a state that is not made by its own function.
    XXH3_INITSTATE(xxh3(state_));
    WEFT_ASSERT(XXH3_64bits_reset(xxh3(state_)) == XXH_OK);
}

void Hash64::update(std::string_view bytes) {
    WEFT_ASSERT(XXH3_64bits_update(xxh3(state_), bytes.data(), bytes.size()) == XXH_OK);
}

std::uint64_t Hash64::finish() const {
    return XXH3_64bits_digest(reinterpret_cast<const XXH3_state_t*>(state_.data()));
}

namespace {

const EVP_MD* kind_of(DigestAlgorithm algorithm) {
    switch (algorithm) {
        case DigestAlgorithm::md5: return EVP_md5();
        case DigestAlgorithm::sha1: return EVP_sha1();
        case DigestAlgorithm::sha256: return EVP_sha256();
    }
    std::unreachable();
}

}  // namespace

void MessageDigest::Free::operator()(void* context) const {
    EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}

MessageDigest::MessageDigest(DigestAlgorithm algorithm) : context_(EVP_MD_CTX_new()) {
    auto* context = static_cast<EVP_MD_CTX*>(context_.get());
    if (!context || EVP_DigestInit_ex(context, kind_of(algorithm), nullptr) != 1) {
        throw std::bad_alloc();
    }
}

void MessageDigest::update(std::string_view bytes) {
    auto* context = static_cast<EVP_MD_CTX*>(context_.get());
    WEFT_ASSERT(EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1);
}

std::string MessageDigest::finish() {
    auto* context = static_cast<EVP_MD_CTX*>(context_.get());
    std::string bytes(EVP_MAX_MD_SIZE, '\0');
    unsigned size = 0;
    WEFT_ASSERT(
        EVP_DigestFinal_ex(context, reinterpret_cast<unsigned char*>(bytes.data()), &size) == 1);
    WEFT_ASSERT(EVP_DigestInit_ex(context, nullptr, nullptr) == 1);
    bytes.resize(size);
    return bytes;
}

std::string digest(DigestAlgorithm algorithm, std::string_view bytes) {
    MessageDigest all(algorithm);
    all.update(bytes);
    return all.finish();
}

}  // namespace weft
