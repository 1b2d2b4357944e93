#pragma once

namespace weft::cli {

// The last act of every command: what it printed is written out, and if standard output did not
// take all of it (a full disk), says so and makes the end an error. Gives the status to end with.
// A reader that left (`weft report DIR | head`), or a closed output, is no error (H101).
int end_output(int status);

}  // namespace weft::cli
