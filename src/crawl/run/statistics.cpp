#include "crawl/run/statistics.h"

namespace weft::crawl {

void Statistics::note(const Outcome& outcome) {
    ++outcome_count;
    switch (outcome.ending) {
        case Ending::fetched: ++fetched_count; break;
        case Ending::redirect: ++redirect_count; break;
        case Ending::denied: ++denied_count; break;
        case Ending::skipped: ++skipped_count; break;
        case Ending::failed: ++failed_count; break;
        case Ending::unknown: break;
    }
    content_bytes += outcome.new_bytes();
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

void Statistics::add(const Statistics& other) {
    for (const auto count :
         {&Statistics::outcome_count, &Statistics::fetched_count, &Statistics::redirect_count,
          &Statistics::denied_count, &Statistics::skipped_count, &Statistics::failed_count,
          &Statistics::duplicate_count, &Statistics::near_duplicate_count, &Statistics::retry_count,
          &Statistics::content_bytes}) {
        this->*count += other.*count;
    }
    for (const auto& [status, count] : other.by_status) by_status[status] += count;
    for (const auto& [type, count] : other.by_type) by_type[type] += count;
    for (const auto& [failure, count] : other.by_failure) by_failure[failure] += count;
    for (const auto& [rule, count] : other.refused) refused[rule] += count;
    for (const auto& [rule, count] : other.refused_by) refused_by[rule] += count;
}

}  // namespace weft::crawl
