#pragma once

#include <cstdio>
#include <string_view>

namespace weft::cli {

// Writes to a stream that nobody may be reading (H101): a closed one changes nothing, and what a
// full pipe cannot take at once is dropped. For what is said while a loop runs.
void say(std::FILE* stream, std::string_view text);

// Writes all of it, however long the reader takes; a closed stream changes nothing. For the end.
void say_all(std::FILE* stream, std::string_view text);

}  // namespace weft::cli
