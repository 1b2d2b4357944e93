#pragma once

#include <cstdio>

#include "aio/co.h"
#include "crawl/crew.h"

namespace weft::cli {

// Shows on standard error how a crawl goes, until cancelled: one line that renews itself on a
// terminal, a plain line every ten seconds elsewhere.
aio::Co<> show_progress(const crawl::Crew& crawler);

}  // namespace weft::cli
