#pragma once

#include <cstdint>
#include <span>

namespace weft::extract {

// Which nodes of a tree a writer writes: the subtree of `root`, without the subtrees of the dropped
// nodes. `dropped` has a byte for each node of the tree, not 0 for a dropped one, or is empty if
// nothing is dropped. Below a dropped node the bytes do not matter. It views the caller's buffer.
struct KeptNodes {
    std::uint32_t root = 0;
    std::span<const std::uint8_t> dropped = {};

    bool drops(std::uint32_t node) const { return !dropped.empty() && dropped[node] != 0; }
};

}  // namespace weft::extract
