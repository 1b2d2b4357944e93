#pragma once

#include "base/error.h"

namespace weft::archive {

// A file of an archive is missing, truncated or damaged. The message names the file, what is wrong
// and how to mend it. The program exits with status 3.
class ArchiveError : public Error {
public:
    using Error::Error;
};

}  // namespace weft::archive
