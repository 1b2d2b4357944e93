#pragma once

#include <functional>
#include <map>
#include <memory>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "aio/net/network.h"
#include "aio/simulated/simulated_wire.h"

namespace weft::aio {

// How the name servers fail for a name.
enum class NameFault {
    none,
    no_such_name,    // NXDOMAIN: permanent.
    server_failure,  // SERVFAIL: temporary.
    no_answer,       // Never answers; resolve() ends by the caller's timeout.
};

// A name in the simulated name servers. Settings apply from the next question on.
class SimulatedName {
public:
    SimulatedName& addresses(std::vector<IpAddress> all) {
        return addresses_ = std::move(all), *this;
    }
    SimulatedName& add(IpAddress address) { return addresses_.push_back(address), *this; }
    SimulatedName& time_to_live(Duration lifetime) { return time_to_live_ = lifetime, *this; }
    SimulatedName& delay(Duration answer_time) { return delay_ = answer_time, *this; }
    SimulatedName& fails(NameFault fault) { return fault_ = fault, *this; }

    // How often the name servers were asked. That is less often than resolve() was called, as each
    // loop caches answers.
    std::size_t question_count() const { return question_count_; }

private:
    friend class SimulatedNames;

    std::vector<IpAddress> addresses_;
    Duration time_to_live_ = 1h;
    Duration delay_{};
    NameFault fault_ = NameFault::none;
    std::size_t question_count_ = 0;
};

// The name servers of a simulated network. A name that was not set up does not exist; an address
// resolves to itself. "*.test" stands for every other name directly below "test"; each of these
// gets one of its addresses.
class SimulatedNames {
public:
    explicit SimulatedNames(SimulatedWire& wire) : wire_(wire) {}

    SimulatedName& name(std::string_view name);

    // A resolver that asks the servers each time, without a cache. `this` must outlive it.
    std::unique_ptr<Resolver> make_resolver();

private:
    class Stub;

    Co<Resolution> ask(std::string host);

    SimulatedWire& wire_;
    std::map<std::string, SimulatedName, std::less<>> names_;
};

}  // namespace weft::aio
