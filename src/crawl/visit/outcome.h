#pragma once

#include "archive/index/outcome.h"

namespace weft::crawl {

// What became of a URL. The page log has one line for each, so the archive owns the type.
using archive::Ending;
using archive::Outcome;
using archive::Via;

}  // namespace weft::crawl
