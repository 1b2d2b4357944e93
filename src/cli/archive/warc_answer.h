#pragma once

#include <string>
#include <vector>

#include "cli/archive/warc_inputs.h"

namespace weft::cli {

// `weft warc cat-url`: writes the content of the newest response for the address to standard
// output, with codings undone. If it is a revisit record, its original is used, in whichever of the
// files that is. Returns the exit status. Throws IoError.
int write_answer(const std::vector<WarcInput>& inputs, const std::string& address,
                 bool ignores_digests);

}  // namespace weft::cli
