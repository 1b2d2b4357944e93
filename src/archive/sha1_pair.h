#pragma once

#include <string>
#include <string_view>

namespace weft::archive {

// The two digests of a record that holds an answer, labelled as WARC labels them.
struct Sha1Pair {
    std::string block;    // Of head and body.
    std::string payload;  // Of the body alone.
};

// Both at once. Where the processor has instructions for SHA-1, one digest leaves it waiting half
// of the time: the second comes almost free.
Sha1Pair sha1_pair(std::string_view head, std::string_view body);

}  // namespace weft::archive
