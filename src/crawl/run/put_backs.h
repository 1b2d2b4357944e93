#pragma once

#include <algorithm>
#include <cstdint>
#include <map>
#include <string>
#include <string_view>
#include <unordered_map>

#include "base/hash.h"

namespace weft::crawl {

// What a crawler remembers of a URL between two leases of it: leases that were put back without a
// try, and refused links that its outcome must count. It is forgotten when the URL ends. Most URLs
// end with their first lease and are never in here. Does not survive the run.
//
// Owned by the Crawler, used on its loop.
class PutBacks {
public:
    using Refusals = std::map<std::string, std::uint64_t>;  // Refused links, by the rule's name.

    // A lease ends without a try.
    void add(std::string_view url) { ++notes_[key_of(url)].count; }

    // How often the URL was tried, the lease under way included. The frontier counts every lease as
    // an attempt; leases that were put back do not count.
    std::uint32_t attempt_of(std::string_view url, std::uint32_t lease_count) const {
        const auto note = notes_.empty() ? notes_.end() : notes_.find(key_of(url));
        if (note == notes_.end()) return lease_count;
        return lease_count - std::min(lease_count - 1, note->second.count);
    }

    // Links of the URL were refused although it has not ended.
    void add_refused(std::string_view url, const Refusals& refused) {
        if (!refused.empty()) add_counts(refused, notes_[key_of(url)].refused);
    }

    // The URL ends: adds its refused links to `refused`, and forgets it.
    void take(std::string_view url, Refusals& refused) {
        if (notes_.empty()) return;
        if (const auto note = notes_.extract(key_of(url))) {
            add_counts(note.mapped().refused, refused);
        }
    }

private:
    struct Note {
        std::uint32_t count = 0;  // Leases that were put back.
        Refusals refused;
    };

    static std::uint64_t key_of(std::string_view url) { return hash64(url, secret_seed()); }
    static void add_counts(const Refusals& from, Refusals& to) {
        for (const auto& [rule, count] : from) to[rule] += count;
    }

    std::unordered_map<std::uint64_t, Note> notes_;  // By hash of the URL.
};

}  // namespace weft::crawl
