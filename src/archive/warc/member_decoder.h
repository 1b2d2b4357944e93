#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "archive/warc/record_packer.h"

namespace weft::archive {

// Unpacks the members of a packed WARC file, one after the other: gzip members or zstd frames. What
// a small member holds comes at once, of a large one 1 MiB at most a step.
class MemberDecoder {
public:
    enum class State {
        more,        // Call again; with more input if nothing was consumed or made.
        member_end,  // The next call begins the next member.
        damaged,     // Nor is there anything to be had from later calls.
    };
    struct Step {
        std::size_t consumed = 0;
        std::size_t made = 0;
        State state = State::more;
    };

    virtual ~MemberDecoder() = default;

    // Decodes some of the input and appends it to `out`.
    virtual Step decode(std::string_view input, std::string& out) = 0;
};

// REQUIRES: packing is not none. Frames of zstd that need a window above 128 MiB are damaged.
std::unique_ptr<MemberDecoder> make_member_decoder(Packing packing);

// How a file is packed, by its first bytes; nothing if these are too few to tell.
std::optional<Packing> sniff_packing(std::string_view start);

}  // namespace weft::archive
