#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

#include "base/hash.h"

namespace weft::archive {

// The SHA-1 of the concatenated pieces, in the form that WARC uses: "sha1:" and base32.
std::string sha1_label(std::span<const std::string_view> pieces);

// The label of a SHA-256, with which WACZ lists its files: "sha256:" and hexadecimal.
std::string sha256_label(std::string_view bytes);
std::string sha256_label(MessageDigest& sha256);

// Checks bytes, given in pieces, against a label from a file: "sha1:", "sha256:" or "md5:", then
// base32 or hexadecimal, in upper or lower case.
class DigestCheck {
public:
    // Nothing if the algorithm is not known: then the label cannot be checked.
    static std::optional<DigestCheck> of_label(std::string_view label);

    void update(std::string_view bytes) { digest_.update(bytes); }

    // Call once, at the end.
    bool matches();

private:
    DigestCheck(DigestAlgorithm algorithm, std::string_view expected)
        : digest_(algorithm), expected_(expected) {}

    MessageDigest digest_;
    std::string expected_;
};

}  // namespace weft::archive
