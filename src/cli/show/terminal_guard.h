#pragma once

namespace weft::cli {

// If standard output is a terminal, control characters that are printed from now on become visible
// and have no effect (H102). For commands that print stored content unchanged. Call it once, before
// anything is printed.
void guard_terminal();

}  // namespace weft::cli
