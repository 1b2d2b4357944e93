#include <functional>
#include <vector>

#include "aio/loop/run.h"
#include "aio/net/stream.h"
#include "aio/task/sleep.h"
#include "aio/task/task.h"
#include "bench/aio/holder.h"
#include "bench/aio/tls.h"
#include "bench/figure.h"

// How many idle connections fit into a gigabyte, our end, the kernel's part included.
//
// Ours is the growth of this process's resident memory, with a task reading on each connection. The
// kernel's is the growth of all slabs (sockets, files, epoll entries) as /proc/meminfo has it; as
// both ends of a connection are on this machine, half of that is our end's. Other programs move the
// slabs by a few MB, of some 100 that are measured.
namespace weft::bench {
namespace {

using aio::Co;

constexpr std::size_t kPlain = 12'000;
constexpr std::size_t kEncrypted = 1'500;
constexpr double kGigabyte = 1e9;

Co<> wait_for_bytes(aio::Stream stream) {
    co_await stream.fill();
}

// What is taken while `open` makes `count` streams and a task reads on each.
template <class Open>
Co<double> bytes_each(std::size_t count, Open open) {
    std::vector<aio::Task<>> tasks;
    tasks.reserve(count);
    {
        const aio::Stream first = co_await open();  // What is made once does not count.
    }
    const double resident = process_memory().resident_bytes;
    const double slabs = system_memory("Slab");
    for (std::size_t i = 0; i < count; ++i) {
        aio::Stream stream = co_await open();
        tasks.push_back(aio::create_task(wait_for_bytes(std::move(stream))));
    }
    co_await aio::sleep(100ms);
    const double ours = process_memory().resident_bytes - resident;
    const double kernels = (system_memory("Slab") - slabs) / 2;
    for (aio::Task<>& task : tasks) task.cancel();
    co_return (ours + kernels) / static_cast<double>(count);
}

Co<double> plain_bytes(aio::Endpoint endpoint) {
    const auto open = [&]() -> Co<aio::Stream> { co_return co_await aio::connect(endpoint); };
    const double bytes = co_await bytes_each(kPlain, open);
    co_return bytes;
}

Co<double> encrypted_bytes(aio::Endpoint endpoint, const CertificateChain& chain) {
    const std::shared_ptr<aio::TlsContext> context = client_of(chain);
    const auto open = [&]() -> Co<aio::Stream> {
        co_return aio::Stream(co_await greet(endpoint, context, ""));
    };
    const double bytes = co_await bytes_each(kEncrypted, open);
    co_return bytes;
}

void measure_plain() {
    const Holder holder(1, kPlain + 100);
    const double bytes = aio::run(plain_bytes(holder.endpoint()));
    figure("an idle connection, our end", bytes, "B");
    figure("idle connections per GB", kGigabyte / bytes, "count", ">=150000");
}

void measure_encrypted(aio::TlsVersion version, std::string_view name) {
    const CertificateChain chain;
    const TlsGreeter greeter(chain, version);
    const double bytes = aio::run(encrypted_bytes(greeter.endpoint(), chain));
    figure(fmt::format("an idle {} connection, our end", name), bytes, "B");
    figure(fmt::format("idle {} connections per GB", name), kGigabyte / bytes, "count", ">=20000");
}

// In a process of its own: memory that an earlier measurement gave back would not be seen to grow.
void measure_apart(const std::function<void()>& measure) {
    const Ended ended = Child([&] {
                            raise_descriptor_limit();
                            measure();
                        }).wait();
    if (!ended.ok) throw Error("a measurement failed");
    fmt::print("{}", ended.output);
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    measure_apart(measure_plain);
    measure_apart([] { measure_encrypted(weft::aio::TlsVersion::v1_2, "TLS 1.2"); });
    measure_apart([] { measure_encrypted(weft::aio::TlsVersion::v1_3, "TLS 1.3"); });
}
