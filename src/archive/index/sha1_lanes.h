#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// The bytes of one digest: the concatenation of two parts.
struct Sha1Message {
    std::string_view first;
    std::string_view second = {};
    std::string label = {};  // The result, as WARC writes it: "sha1:" and base32.
};

// Computes the digests of all messages and fills in their labels. A processor with SHA-1
// instructions mostly waits while it computes one digest. So two side by side take as long as one,
// and four take 1.4 times as long as two.
void label_by_sha1(std::span<Sha1Message> messages);

}  // namespace weft::archive
