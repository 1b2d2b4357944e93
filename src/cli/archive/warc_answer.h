#pragma once

#include <string>
#include <vector>

#include "cli/archive/warc_inputs.h"

namespace weft::cli {

// `weft warc cat-url`: writes the content of the newest answer for the address to standard output,
// codings undone. A revisit record stands for its original, wherever in the files that is. Returns
// the exit status. Throws IoError.
int write_answer(const std::vector<WarcInput>& inputs, const std::string& address,
                 bool ignores_digests);

}  // namespace weft::cli
