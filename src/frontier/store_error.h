#pragma once

#include <string>

#include "base/error.h"

namespace weft::frontier {

// The crawl's state cannot be opened, read or written; `what()` says which file, why, and what to
// do. Once thrown by a store that was open, the store takes no more: what was committed is safe.
class StoreError : public Error {
public:
    using Error::Error;
};

}  // namespace weft::frontier
