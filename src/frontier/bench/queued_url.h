#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "frontier/frontier.h"
#include "frontier/store/codec.h"

namespace weft::frontier {

// A URL in a host's queue. The bytes of `url` and `referrer` belong to the buffer that it was read
// from.
struct QueuedUrl {
    std::string_view url;
    std::string_view referrer;
    std::uint32_t depth = 0;
    std::uint32_t trail = 0;
    std::uint32_t attempt = 1;  // The number of the next fetch, from 1.
    WallTime not_before{};      // Only for a retry.
};

inline Candidate to_candidate(const QueuedUrl& queued, std::string_view host) {
    Candidate candidate;
    candidate.url = queued.url;
    candidate.host = host;
    candidate.referrer = queued.referrer;
    candidate.depth = queued.depth;
    candidate.trail = queued.trail;
    return candidate;
}

// A host's queue consists of a few lanes, each strictly first in, first out. There is one lane for
// each priority in use. Above these numbers there is one for each count of failed attempts: entries
// with the same count have waited about equally long, so their retry times come nearly in order.
inline constexpr std::uint8_t kFirstRetryLane = kPriorityMax + 1;
inline constexpr std::uint32_t kRetryLaneCount = 16;

// REQUIRES: attempt >= 2. All attempts above the last lane's number share that lane.
constexpr std::uint8_t retry_lane(std::uint32_t attempt) {
    return static_cast<std::uint8_t>(kFirstRetryLane + std::min(attempt - 2, kRetryLaneCount - 1));
}
constexpr bool is_retry_lane(std::uint8_t lane) {
    return lane >= kFirstRetryLane;
}

// A time in a file: the ticks since the epoch.
inline void put_time(std::string& out, WallTime time) {
    put_fixed64(out, static_cast<std::uint64_t>(time.time_since_epoch().count()));
}
inline WallTime read_time(Decoder& decoder) {
    return WallTime(Duration(static_cast<std::int64_t>(decoder.fixed64())));
}

// Writes everything except the referrer, which many entries share.
inline void put_entry(std::string& out, const QueuedUrl& entry) {
    put_varint(out, entry.depth);
    put_varint(out, entry.trail);
    put_varint(out, entry.attempt);
    if (entry.attempt > 1) put_time(out, entry.not_before);
    out.append(entry.url);
}

// The views in the result point into the arguments.
inline QueuedUrl read_entry(std::string_view bytes, std::string_view referrer) {
    Decoder decoder(bytes);
    QueuedUrl entry;
    entry.referrer = referrer;
    entry.depth = static_cast<std::uint32_t>(decoder.varint());
    entry.trail = static_cast<std::uint32_t>(decoder.varint());
    entry.attempt = static_cast<std::uint32_t>(decoder.varint());
    if (entry.attempt > 1) entry.not_before = read_time(decoder);
    entry.url = decoder.rest();
    return entry;
}

}  // namespace weft::frontier
