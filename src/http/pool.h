#pragma once

#include <cstddef>
#include <list>
#include <memory>
#include <string>
#include <unordered_map>

#include "base/clock.h"
#include "http/connection.h"

namespace weft::http {

// Idle connections, to be used again. A key says all that makes two connections interchangeable:
// scheme, host, port and whatever of the options matters for security.
//
// Nothing odd gets in: give() keeps only connections whose last exchange allows another. Nothing
// stale comes out: take() looks at the socket first. Over the limit the oldest is closed.
class Pool {
public:
    explicit Pool(std::size_t idle_max = 1'000, Duration idle_time_max = 60s)
        : idle_max_(idle_max), idle_time_max_(idle_time_max) {}

    // The connection used last, or nullptr.
    std::unique_ptr<Connection> take(const std::string& key, TimePoint now);

    // Closes it unless it may be used again.
    void give(std::unique_ptr<Connection> connection, TimePoint now);

    std::size_t idle_count() const { return idle_.size(); }

private:
    struct Idle {
        std::unique_ptr<Connection> connection;
        TimePoint since;
    };
    using Place = std::list<Idle>::iterator;

    void drop(Place place);

    std::size_t idle_max_;
    Duration idle_time_max_;
    std::list<Idle> idle_;  // Oldest first.
    std::unordered_multimap<std::string, Place> by_key_;
};

}  // namespace weft::http
