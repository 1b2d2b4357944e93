#include "archive/index/digest.h"

#include <new>

#include <openssl/evp.h>

#include "base/assert.h"
#include "base/bytes.h"
#include "base/hash.h"

namespace weft::archive {

// For single digests; label_by_sha1() computes several side by side.
std::string sha1_label(std::span<const std::string_view> pieces) {
    Sha1 sha1;
    for (const std::string_view piece : pieces) sha1.update(piece);
    return "sha1:" + to_base32(sha1.finish());
}

void Sha256::Free::operator()(void* context) const {
    EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}

Sha256::Sha256() : context_(EVP_MD_CTX_new()) {
    auto* context = static_cast<EVP_MD_CTX*>(context_.get());
    if (!context || EVP_DigestInit_ex(context, EVP_sha256(), nullptr) != 1) throw std::bad_alloc();
}

void Sha256::update(std::string_view bytes) {
    auto* context = static_cast<EVP_MD_CTX*>(context_.get());
    WEFT_ASSERT(EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1);
}

std::string Sha256::finish_label() {
    auto* context = static_cast<EVP_MD_CTX*>(context_.get());
    std::string digest(32, '\0');
    WEFT_ASSERT(
        EVP_DigestFinal_ex(context, reinterpret_cast<unsigned char*>(digest.data()), nullptr) == 1);
    return "sha256:" + to_hex(digest);
}

std::string sha256_label(std::string_view bytes) {
    Sha256 sha256;
    sha256.update(bytes);
    return sha256.finish_label();
}

void DigestCheck::Free::operator()(void* context) const {
    EVP_MD_CTX_free(static_cast<EVP_MD_CTX*>(context));
}

std::optional<DigestCheck> DigestCheck::of_label(std::string_view label) {
    const std::size_t colon = label.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::string algorithm;  // Without dashes, because some writers write "sha-1".
    for (const char c : label.substr(0, colon)) {
        if (c != '-') algorithm += to_lower(c);
    }
    const EVP_MD* kind = algorithm == "sha1"     ? EVP_sha1()
                         : algorithm == "sha256" ? EVP_sha256()
                         : algorithm == "md5"    ? EVP_md5()
                                                 : nullptr;
    // Other writers use further algorithms. A record with such a digest is not wrong.
    if (kind == nullptr) return std::nullopt;
    DigestCheck check;
    check.context_.reset(EVP_MD_CTX_new());
    check.expected_ = label.substr(colon + 1);
    auto* context = static_cast<EVP_MD_CTX*>(check.context_.get());
    if (!context || EVP_DigestInit_ex(context, kind, nullptr) != 1) throw std::bad_alloc();
    return check;
}

void DigestCheck::update(std::string_view bytes) {
    auto* context = static_cast<EVP_MD_CTX*>(context_.get());
    WEFT_ASSERT(EVP_DigestUpdate(context, bytes.data(), bytes.size()) == 1);
}

bool DigestCheck::matches() {
    auto* context = static_cast<EVP_MD_CTX*>(context_.get());
    std::string digest(EVP_MAX_MD_SIZE, '\0');
    unsigned size = 0;
    WEFT_ASSERT(
        EVP_DigestFinal_ex(context, reinterpret_cast<unsigned char*>(digest.data()), &size) == 1);
    digest.resize(size);
    // The label does not say how it is encoded, so both forms are tried, and padding is ignored.
    std::string base32 = to_base32(digest);
    while (base32.ends_with('=')) base32.pop_back();
    std::string_view expected = expected_;
    while (expected.ends_with('=')) expected.remove_suffix(1);
    return equals_ignore_case(expected, to_hex(digest)) || equals_ignore_case(expected, base32);
}

}  // namespace weft::archive
