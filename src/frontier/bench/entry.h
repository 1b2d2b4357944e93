#pragma once

#include <algorithm>
#include <cstdint>
#include <string>
#include <string_view>

#include "base/clock.h"
#include "frontier/frontier.h"
#include "frontier/store/codec.h"

namespace weft::frontier {

// A URL in a host's queue. Of `url` and `referrer` another owns the bytes.
struct Entry {
    std::string_view url;
    std::string_view referrer;
    std::uint32_t depth = 0;
    std::uint32_t redirects_left = 0;
    std::uint32_t attempt = 1;  // Of the fetch to come.
    WallTime not_before{};      // Of a retry.
};

// A host's queue is a few lanes, each strictly first in, first out: one for each priority in use,
// and behind these numbers one for each count of failed attempts, whose times of retry so come
// nearly in order.
inline constexpr std::uint8_t kFirstRetryLane = kPriorityMax + 1;
inline constexpr std::uint32_t kRetryLaneCount = 16;

constexpr std::uint8_t retry_lane(std::uint32_t attempt) {
    return static_cast<std::uint8_t>(kFirstRetryLane + std::min(attempt - 2, kRetryLaneCount - 1));
}
constexpr bool is_retry_lane(std::uint8_t lane) {
    return lane >= kFirstRetryLane;
}

// A date in a file.
inline void put_time(std::string& out, WallTime time) {
    put_fixed64(out, static_cast<std::uint64_t>(time.time_since_epoch().count()));
}
inline WallTime read_time(Decoder& decoder) {
    return WallTime(Duration(static_cast<std::int64_t>(decoder.fixed64())));
}

// All but the referrer, which many entries share.
inline void put_entry(std::string& out, const Entry& entry) {
    put_varint(out, entry.depth);
    put_varint(out, entry.redirects_left);
    put_varint(out, entry.attempt);
    if (entry.attempt > 1) put_time(out, entry.not_before);
    out.append(entry.url);
}

inline Entry read_entry(std::string_view bytes, std::string_view referrer) {
    Decoder decoder(bytes);
    Entry entry;
    entry.referrer = referrer;
    entry.depth = static_cast<std::uint32_t>(decoder.varint());
    entry.redirects_left = static_cast<std::uint32_t>(decoder.varint());
    entry.attempt = static_cast<std::uint32_t>(decoder.varint());
    if (entry.attempt > 1) entry.not_before = read_time(decoder);
    entry.url = decoder.rest();
    return entry;
}

}  // namespace weft::frontier
