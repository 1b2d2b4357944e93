#pragma once

#include <cstdint>
#include <memory>
#include <utility>
#include <vector>

#include "base/assert.h"
#include "frontier/bench/host.h"

namespace weft::frontier {

// The hosts in memory, by id: a hash table with open addressing. Ids are hashes already, so their
// low bits are the place. The table owns the hosts; they do not move when it grows. It is not a
// std::unordered_map because of prefetch(): a commit loads the places of all its links at once.
class HostQueueTable {
public:
    HostQueueTable() : buckets_(kFirstSize) {}

    Host* find(std::uint64_t id) const {
        for (std::size_t i = place_of(id);; i = after(i)) {
            if (!buckets_[i].host) return nullptr;
            if (buckets_[i].id == id) return buckets_[i].host.get();
        }
    }

    void prefetch(std::uint64_t id) const { __builtin_prefetch(&buckets_[place_of(id)]); }

    // REQUIRES: no host with this id is in the table.
    Host& insert(std::unique_ptr<Host> host) {
        if (2 * size_ >= buckets_.size()) rebuild(2 * buckets_.size());
        ++size_;
        return put(std::move(host));
    }

    // Removes the hosts for which `condition(host)` is true, and gives the table a fitting size.
    template <class Condition>
    void erase_if(Condition condition) {
        std::size_t left = 0;
        for (Bucket& bucket : buckets_) {
            if (bucket.host && condition(*bucket.host)) bucket.host.reset();
            if (bucket.host) ++left;
        }
        size_ = left;
        std::size_t size = kFirstSize;
        while (size < 4 * left) size *= 2;
        rebuild(size);
    }

    template <class Visitor>
    void for_each(Visitor visitor) const {
        for (const Bucket& bucket : buckets_) {
            if (bucket.host) visitor(*bucket.host);
        }
    }

    std::size_t size() const { return size_; }

private:
    static constexpr std::size_t kFirstSize = 64;  // A power of two, as all sizes are.

    struct Bucket {
        std::uint64_t id = 0;
        std::unique_ptr<Host> host;
    };

    std::size_t place_of(std::uint64_t id) const { return id & (buckets_.size() - 1); }
    std::size_t after(std::size_t place) const { return (place + 1) & (buckets_.size() - 1); }

    Host& put(std::unique_ptr<Host> host) {
        std::size_t i = place_of(host->id);
        for (; buckets_[i].host; i = after(i)) WEFT_ASSERT(buckets_[i].id != host->id);
        buckets_[i].id = host->id;
        buckets_[i].host = std::move(host);
        return *buckets_[i].host;
    }

    void rebuild(std::size_t size) {
        std::vector<Bucket> old = std::exchange(buckets_, std::vector<Bucket>(size));
        for (Bucket& bucket : old) {
            if (bucket.host) put(std::move(bucket.host));
        }
    }

    std::vector<Bucket> buckets_;
    std::size_t size_ = 0;
};

}  // namespace weft::frontier
