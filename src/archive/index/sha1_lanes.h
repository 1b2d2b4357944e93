#pragma once

#include <span>
#include <string>
#include <string_view>

namespace weft::archive {

// Bytes to take a digest of: two parts, put together.
struct Sha1Message {
    std::string_view first;
    std::string_view second = {};
    std::string label = {};  // Of the digest, filled in as WARC labels it: "sha1:" and base32.
};

// Fills in the labels. Where the processor has instructions for SHA-1 it waits for most of the time
// that one digest takes: two side by side take as long as one, and four 1.4 times as long.
void label_by_sha1(std::span<Sha1Message> messages);

}  // namespace weft::archive
