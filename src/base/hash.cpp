#include "base/hash.h"

#include <new>

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

Sha1::Sha1() : context_(EVP_MD_CTX_new()) {
    auto* context = static_cast<EVP_MD_CTX*>(context_);
    if (context && EVP_DigestInit_ex(context, EVP_sha1(), nullptr) == 1) return;
    EVP_MD_CTX_free(context);
    throw std::bad_alloc();
}

Sha1::~Sha1() {
    EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context_));
}

void Sha1::update(std::string_view bytes) {
    WEFT_ASSERT(EVP_DigestUpdate(static_cast<EVP_MD_CTX*>(context_), bytes.data(), bytes.size()) ==
                1);
}

std::string Sha1::finish() {
    auto* context = static_cast<EVP_MD_CTX*>(context_);
    std::string digest(20, '\0');
    unsigned size = 0;
    WEFT_ASSERT(
        EVP_DigestFinal_ex(context, reinterpret_cast<unsigned char*>(digest.data()), &size) == 1);
    WEFT_ASSERT(size == digest.size());
    WEFT_ASSERT(EVP_DigestInit_ex(context, EVP_sha1(), nullptr) == 1);
    return digest;
}

}  // namespace weft
