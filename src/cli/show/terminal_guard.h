#pragma once

namespace weft::cli {

// From now on what is printed to standard output, if that is a terminal, reaches it with its
// control characters visible (H102): for commands that print content as it is. Once, before
// anything is printed.
void guard_terminal();

}  // namespace weft::cli
