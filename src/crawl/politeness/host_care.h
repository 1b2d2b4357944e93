#pragma once

#include <optional>

#include "base/clock.h"
#include "base/random.h"
#include "crawl/run/config.h"

namespace weft::crawl {

struct ActiveVisit;

// What the end of a try means for its host: how long the host is left alone, whether the URL is
// tried again, and whether the host is closed or given up.

// Whether the host of the visit may be asked at all. False: it was given up or is closed, and the
// visit's outcome says why.
bool may_ask(ActiveVisit& visit, TimePoint now);

// What comes after a try that ended.
struct NextTry {
    TimePoint ready;                    // No fetch of the host starts before.
    std::optional<TimePoint> retry_at;  // When the URL is tried again. Empty: it is done.
};

// Updates the visit's host. If the host is put aside or closed now, the outcome says why.
NextTry settle_host(ActiveVisit& visit, const Config& config, TimePoint now, Random& random);

}  // namespace weft::crawl
