#pragma once

#include <memory>
#include <string>
#include <string_view>

#include "archive/warc/record_packer.h"

namespace weft::archive {

// Decompresses the members of a compressed WARC file one after the other: gzip members or zstd
// frames. A step returns at most 1 MiB; a small member takes one step.
class MemberDecoder {
public:
    enum class State {
        more,        // Call again; with more input if nothing was consumed or made.
        member_end,  // The next call begins the next member.
        damaged,     // Later calls return nothing either.
    };

    // How much of the input was used, and how many bytes were appended to the output.
    struct Step {
        std::size_t consumed = 0;
        std::size_t made = 0;
        State state = State::more;
    };

    virtual ~MemberDecoder() = default;

    // Decompresses some of the input and appends the result to `out`.
    virtual Step decode(std::string_view input, std::string& out) = 0;
};

// zstd frames that need a window above 128 MiB count as damaged. REQUIRES: packing is not none.
std::unique_ptr<MemberDecoder> make_member_decoder(Packing packing);

// How a file is packed, judged by its first bytes. Nothing if there are too few of them to tell.
std::optional<Packing> sniff_packing(std::string_view start);

}  // namespace weft::archive
