#pragma once

#include <string>
#include <string_view>

namespace weft {

// The text as one word of a POSIX shell's command line, for a command that is shown to a person. It
// is quoted only where necessary. Characters that could control a terminal are escaped as by
// escape_for_terminal(); the shell then reads another word than `text`.
std::string shell_word(std::string_view text);

}  // namespace weft
