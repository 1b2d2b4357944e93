#pragma once

#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// The SHA-1 of the pieces put together, labelled as WARC labels it: "sha1:" and base32.
std::string sha1_label(std::span<const std::string_view> pieces);

// SHA-256 in pieces: what WACZ names its files by.
class Sha256 {
public:
    Sha256();

    void update(std::string_view bytes);

    // "sha256:" and hexadecimal. Once, at the end.
    std::string finish_label();

private:
    struct Free {
        void operator()(void* context) const;
    };

    std::unique_ptr<void, Free> context_;
};

std::string sha256_label(std::string_view bytes);

// Checks bytes, fed in pieces, against a label found in a file ("sha1:" or "sha256:" or "md5:",
// then base32 or hexadecimal in either case).
class DigestCheck {
public:
    // Nothing if the algorithm is not known: such a label can be neither right nor wrong.
    static std::optional<DigestCheck> of_label(std::string_view label);

    void update(std::string_view bytes);

    // Once, at the end.
    bool matches();

private:
    struct Free {
        void operator()(void* context) const;
    };

    std::unique_ptr<void, Free> context_;
    std::string expected_;
};

}  // namespace weft::archive
