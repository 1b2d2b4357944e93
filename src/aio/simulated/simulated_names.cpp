#include "aio/simulated/simulated_names.h"

#include "aio/task/errors.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "base/escape.h"
#include "base/hash.h"

namespace weft::aio {
namespace {

[[noreturn]] void throw_no_such_name(const std::string& host) {
    throw ResolveError(fmt::format("no such name: {}", escape_for_terminal(host)), false);
}

}  // namespace

class SimulatedNames::Stub final : public Resolver {
public:
    explicit Stub(SimulatedNames& names) : names_(names) {}
    Co<Resolution> resolve(std::string host) override {
        co_return co_await names_.ask(std::move(host));
    }

private:
    SimulatedNames& names_;
};

SimulatedName& SimulatedNames::name(std::string_view name) {
    return names_.try_emplace(std::string(name)).first->second;
}

std::unique_ptr<Resolver> SimulatedNames::make_resolver() {
    return std::make_unique<Stub>(*this);
}

Co<Resolution> SimulatedNames::ask(std::string host) {
    if (const std::optional<IpAddress> literal = IpAddress::parse(host)) {
        co_return Resolution{.addresses = {*literal}, .time_to_live = 24h};
    }
    auto found = names_.find(host);
    bool is_wild = false;
    if (found == names_.end() && host.contains('.')) {
        found = names_.find("*" + host.substr(host.find('.')));
        is_wild = true;
    }
    if (found == names_.end()) {
        wire_.trace("resolve {}: no such name", host);
        throw_no_such_name(host);
    }
    SimulatedName& name = found->second;
    ++name.question_count_;
    wire_.trace("resolve {}", host);
    if (name.fault_ == NameFault::no_answer) {
        // Only a cancellation ends this wait.
        const Future<> never = create_future();
        co_await never;
    }
    if (name.delay_ > Duration::zero()) co_await sleep(name.delay_);
    if (name.fault_ == NameFault::server_failure) {
        throw ResolveError(fmt::format("the name server failed for {}", escape_for_terminal(host)),
                           true);
    }
    if (name.fault_ == NameFault::no_such_name || name.addresses_.empty()) {
        throw_no_such_name(host);
    }
    if (is_wild) {
        // By the hash of the name, so that the same name always gets the same address.
        const std::size_t index = hash64(host, 0) % name.addresses_.size();
        co_return Resolution{.addresses = {name.addresses_[index]},
                             .time_to_live = name.time_to_live_};
    }
    co_return Resolution{.addresses = name.addresses_, .time_to_live = name.time_to_live_};
}

}  // namespace weft::aio
