#include "archive/index/digest.h"

#include "base/bytes.h"

namespace weft::archive {

// For single digests; label_by_sha1() computes several side by side.
std::string sha1_label(std::span<const std::string_view> pieces) {
    MessageDigest sha1(DigestAlgorithm::sha1);
    for (const std::string_view piece : pieces) sha1.update(piece);
    return "sha1:" + to_base32(sha1.finish());
}

std::string sha256_label(std::string_view bytes) {
    return "sha256:" + to_hex(digest(DigestAlgorithm::sha256, bytes));
}

std::string sha256_label(MessageDigest& sha256) {
    return "sha256:" + to_hex(sha256.finish());
}

std::optional<DigestCheck> DigestCheck::of_label(std::string_view label) {
    const std::size_t colon = label.find(':');
    if (colon == std::string_view::npos) return std::nullopt;
    std::string algorithm;  // Without dashes, because some writers write "sha-1".
    for (const char c : label.substr(0, colon)) {
        if (c != '-') algorithm += to_lower(c);
    }
    const std::string_view expected = label.substr(colon + 1);
    if (algorithm == "sha1") return DigestCheck(DigestAlgorithm::sha1, expected);
    if (algorithm == "sha256") return DigestCheck(DigestAlgorithm::sha256, expected);
    if (algorithm == "md5") return DigestCheck(DigestAlgorithm::md5, expected);
    // Other writers use further algorithms. A record with such a digest is not wrong.
    return std::nullopt;
}

bool DigestCheck::matches() {
    const std::string digest = digest_.finish();
    // The label does not say how it is encoded, so both forms are tried, and padding is ignored.
    std::string base32 = to_base32(digest);
    while (base32.ends_with('=')) base32.pop_back();
    std::string_view expected = expected_;
    while (expected.ends_with('=')) expected.remove_suffix(1);
    return equals_ignore_case(expected, to_hex(digest)) || equals_ignore_case(expected, base32);
}

}  // namespace weft::archive
