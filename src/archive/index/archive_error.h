#pragma once

#include "base/error.h"

namespace weft::archive {

// A file of an archive is missing, has lost its end, or holds what it should not. The message names
// the file, what is wrong and the way out: exit status 3.
class ArchiveError : public Error {
public:
    using Error::Error;
};

}  // namespace weft::archive
