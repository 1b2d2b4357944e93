#include "crawl/statistics.h"

namespace weft::crawl {

void Statistics::note(const Outcome& outcome) {
    ++outcome_count;
    switch (outcome.ending) {
        case Ending::fetched: ++fetched_count; break;
        case Ending::redirect: ++redirect_count; break;
        case Ending::denied: ++denied_count; break;
        case Ending::skipped: ++skipped_count; break;
        case Ending::failed: ++failed_count; break;
    }
    content_bytes += outcome.content_bytes;
    if (outcome.status != 0) ++by_status[outcome.status];
    if (outcome.ending == Ending::fetched) {
        const bool has_room = by_type.size() < kTypesMax || by_type.contains(outcome.content_type);
        ++by_type[has_room ? outcome.content_type : "(others)"];
    }
    if (!outcome.failure.empty()) ++by_failure[outcome.failure];
    if (outcome.is_duplicate) ++duplicate_count;
    if (!outcome.near_duplicate_of.empty()) ++near_duplicate_count;
}

void Statistics::note(const Refused& refusal) {
    ++refused[refusal.rule];
    if (!refusal.detail.empty()) ++refused_by[refusal.detail];
}

}  // namespace weft::crawl
