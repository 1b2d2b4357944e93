#pragma once

#include <string>
#include <string_view>

namespace weft {

// The text as one word of a POSIX shell's command line, for commands that a person is to type:
// quoted only where it has to be. What could drive a terminal is escaped as escape_for_terminal()
// has it, and is then not the same word any more.
std::string shell_word(std::string_view text);

}  // namespace weft
