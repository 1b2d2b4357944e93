#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// The SHA-1 of the concatenated pieces, in the form that WARC uses: "sha1:" and base32.
std::string sha1_label(std::span<const std::string_view> pieces);

// Computes a SHA-256 in pieces. WACZ lists its files with it.
class Sha256 {
public:
    Sha256();

    void update(std::string_view bytes);

    // "sha256:" and hexadecimal. Call once, at the end.
    std::string finish_label();

private:
    struct Free {
        void operator()(void* context) const;
    };

    std::unique_ptr<void, Free> context_;
};

std::string sha256_label(std::string_view bytes);

// Checks bytes, given in pieces, against a label from a file: "sha1:", "sha256:" or "md5:", then
// base32 or hexadecimal, in upper or lower case.
class DigestCheck {
public:
    // Nothing if the algorithm is not known: then the label cannot be checked.
    static std::optional<DigestCheck> of_label(std::string_view label);

    void update(std::string_view bytes);

    // Call once, at the end.
    bool matches();

private:
    struct Free {
        void operator()(void* context) const;
    };

    std::unique_ptr<void, Free> context_;
    std::string expected_;
};

}  // namespace weft::archive
