#pragma once

#include <cstddef>

namespace weft::http {

// A ResponseSink that is one of these too says how much memory the answer may take: the fetch tells
// it what it holds itself, besides what it hands over.
class MemoryLender {
public:
    // For the head and for undoing the codings, now. False: that is too much, or the sink wants no
    // more of this answer; the fetch then ends with Failure::no_resources.
    virtual bool lends(std::size_t bytes) = 0;

protected:
    ~MemoryLender() = default;
};

}  // namespace weft::http
