#include "aio/simulated/simulated_host.h"

#include <algorithm>

namespace weft::aio {

TimePoint SimulatedHost::pass(TimePoint& free_at, TimePoint from, std::size_t bytes) const {
    if (link_.bytes_per_second == 0) return from;
    const double seconds = static_cast<double>(bytes) / static_cast<double>(link_.bytes_per_second);
    free_at = std::max(free_at, from) + Duration(static_cast<std::int64_t>(seconds * 1e9));
    return free_at;
}

TimePoint travel(SimulatedHost& from, SimulatedHost& to, std::size_t bytes, SimulatedWire& wire) {
    if (&from == &to) return wire.now();
    Duration on_the_way = from.link().latency + to.link().latency;
    const Duration jitter = from.link().jitter + to.link().jitter;
    if (jitter > Duration::zero()) {
        const auto most = static_cast<std::uint64_t>(jitter.count());
        on_the_way += Duration(static_cast<std::int64_t>(wire.random().below(most + 1)));
    }
    // The bytes queue at the sender's link, travel, then queue at the receiver's link.
    const TimePoint sent = from.pass(from.up_free_at_, wire.now(), bytes);
    return to.pass(to.down_free_at_, sent + on_the_way, bytes);
}

void SimulatedPartitions::part(std::set<std::string> here, std::set<std::string> there) {
    cuts_.push_back({std::move(here), std::move(there)});
}

bool SimulatedPartitions::apart(const SimulatedHost& a, const SimulatedHost& b) const {
    const auto crosses = [&](const Cut& cut, const std::string& one, const std::string& other) {
        if (!cut.here.contains(one)) return false;
        return cut.there.empty() ? !cut.here.contains(other) : cut.there.contains(other);
    };
    return std::ranges::any_of(cuts_, [&](const Cut& cut) {
        return crosses(cut, a.name(), b.name()) || crosses(cut, b.name(), a.name());
    });
}

}  // namespace weft::aio
