#include "crawl/statistics.h"

namespace weft::crawl {

void Statistics::note(const Outcome& outcome) {
    ++outcome_count;
    switch (outcome.ending) {
        case Ending::fetched: ++fetched_count; break;
        case Ending::redirect: ++redirect_count; break;
        case Ending::denied: ++denied_count; break;
        case Ending::failed: ++failed_count; break;
    }
    content_bytes += outcome.content_bytes;
    if (outcome.status != 0) ++by_status[outcome.status];
    if (outcome.ending == Ending::fetched) ++by_type[outcome.content_type];
    if (!outcome.failure.empty()) ++by_failure[outcome.failure];
}

}  // namespace weft::crawl
