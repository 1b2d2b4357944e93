#include "aio/run.h"

#include "aio/executor.h"
#include "aio/files.h"
#include "aio/selector.h"
#include "aio/socket_network.h"
#include "base/random.h"

namespace weft::aio {

struct SystemPlatform::Parts {
    explicit Parts(const ResolverOptions& resolver_options) : network(resolver_options) {}

    SystemClock clock;
    std::unique_ptr<Selector> selector = make_default_selector();
    SocketNetwork network;
    SystemFiles files;
    ThreadPool executor;
    Random random = Random::from_system();
};

SystemPlatform::SystemPlatform(const ResolverOptions& resolver_options)
    : parts_(std::make_unique<Parts>(resolver_options)) {}

SystemPlatform::~SystemPlatform() = default;

Platform SystemPlatform::get() const {
    return {.clock = &parts_->clock,
            .selector = parts_->selector.get(),
            .network = &parts_->network,
            .files = &parts_->files,
            .executor = &parts_->executor,
            .random = &parts_->random};
}

}  // namespace weft::aio
