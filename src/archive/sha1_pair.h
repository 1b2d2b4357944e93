#pragma once

#include <string>
#include <string_view>
#include <utility>

namespace weft::archive {

// The two digests of a record that holds an answer, labelled as WARC labels them.
struct Sha1Pair {
    std::string block;    // Of head and body.
    std::string payload;  // Of the body alone.
};

// Both at once. Where the processor has instructions for SHA-1, one digest leaves it waiting half
// of the time: the second comes almost free.
Sha1Pair sha1_pair(std::string_view head, std::string_view body);

// The same of two messages that have nothing to do with each other.
std::pair<std::string, std::string> sha1_labels(std::string_view first, std::string_view second);

}  // namespace weft::archive
