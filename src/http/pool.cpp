#include "http/pool.h"

#include <algorithm>

namespace weft::http {

std::unique_ptr<Connection> Pool::take(const std::string& key, TimePoint now) {
    while (!idle_.empty() && now - idle_.front().since > idle_time_max_) drop(idle_.begin());
    for (;;) {
        const auto [first, last] = by_key_.equal_range(key);
        const auto newest = std::max_element(first, last, [](const auto& a, const auto& b) {
            return a.second->since < b.second->since;
        });
        if (newest == last) return nullptr;
        std::unique_ptr<Connection> connection = std::move(newest->second->connection);
        idle_.erase(newest->second);
        by_key_.erase(newest);
        if (connection->is_alive()) return connection;
    }
}

void Pool::give(std::unique_ptr<Connection> connection, TimePoint now) {
    if (!connection->is_reusable()) return;
    std::string key = connection->key();
    idle_.push_back({std::move(connection), now});
    by_key_.emplace(std::move(key), std::prev(idle_.end()));
    if (idle_.size() > idle_max_) drop(idle_.begin());
}

void Pool::drop(Place place) {
    const auto [first, last] = by_key_.equal_range(place->connection->key());
    by_key_.erase(std::find_if(first, last, [&](const auto& row) { return row.second == place; }));
    idle_.erase(place);
}

}  // namespace weft::http
