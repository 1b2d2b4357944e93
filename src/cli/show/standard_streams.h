#pragma once

#include <cstdio>
#include <string_view>

namespace weft::cli {

// Writes to a stream that may have no reader (H101): a closed stream is ignored, and what a full
// pipe does not accept at once is dropped. For messages while a loop runs, which must not block.
void say(std::FILE* stream, std::string_view text);

// Writes all of the text and waits for the reader; a closed stream is ignored. For messages after
// the loop has ended.
void say_all(std::FILE* stream, std::string_view text);

}  // namespace weft::cli
