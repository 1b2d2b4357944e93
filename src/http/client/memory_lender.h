#pragma once

#include <cstddef>

namespace weft::http {

// A second base class for a ResponseSink that limits the memory of a response. The fetch reports
// how much it holds itself, in addition to the content that it passes on.
class MemoryLender {
public:
    // The fetch now holds `bytes` in all, for the head and the decoders. False if that is too much,
    // or if the sink wants no more of this response; the fetch then ends with
    // Failure::no_resources.
    virtual bool lends(std::size_t bytes) = 0;

protected:
    ~MemoryLender() = default;
};

}  // namespace weft::http
