#pragma once

namespace weft::cli {

// The last call of every command. It flushes standard output; if not everything could be written (a
// full disk), it prints an error and returns an error status. Otherwise it returns `status`. It is
// no error if the reader has left (`weft report DIR | head`) or the output is closed (H101).
int end_output(int status);

}  // namespace weft::cli
