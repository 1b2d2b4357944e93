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

enum class NameFault {
    none,
    no_such_name,    // NXDOMAIN: for good.
    server_failure,  // SERVFAIL: temporary.
    no_answer,       // Never; resolve() ends by the caller's timeout.
};

// A name as the simulated name servers know it. Settings hold for the next question.
class SimulatedName {
public:
    SimulatedName& addresses(std::vector<IpAddress> all) {
        return addresses_ = std::move(all), *this;
    }
    SimulatedName& add(IpAddress address) { return addresses_.push_back(address), *this; }
    SimulatedName& time_to_live(Duration lifetime) { return time_to_live_ = lifetime, *this; }
    SimulatedName& delay(Duration answer_time) { return delay_ = answer_time, *this; }
    SimulatedName& fails(NameFault fault) { return fault_ = fault, *this; }

    // How often the name servers were asked: less often than resolve() was called, as each loop
    // remembers answers.
    std::size_t question_count() const { return question_count_; }

private:
    friend class SimulatedNames;

    std::vector<IpAddress> addresses_;
    Duration time_to_live_ = 1h;
    Duration delay_{};
    NameFault fault_ = NameFault::none;
    std::size_t question_count_ = 0;
};

// The name servers of a simulated network. A name that nobody made does not exist; an address is
// its own name. "*.test" stands for every other name right below "test", each with one of its
// addresses.
class SimulatedNames {
public:
    explicit SimulatedNames(SimulatedWire& wire) : wire_(wire) {}

    SimulatedName& name(std::string_view name);

    // Asks them anew each time. `this` outlives it.
    std::unique_ptr<Resolver> make_resolver();

private:
    class Stub;

    Co<Resolution> ask(std::string host);

    SimulatedWire& wire_;
    std::map<std::string, SimulatedName, std::less<>> names_;
};

}  // namespace weft::aio
