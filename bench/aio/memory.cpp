#include <vector>

#include <malloc.h>

#include "aio/loop/run.h"
#include "aio/task/gather.h"
#include "aio/task/sleep.h"
#include "bench/aio/http.h"
#include "bench/figure.h"

// The heap of a task that waits for a socket, beside the socket's own objects.
namespace weft::aio {
namespace {

constexpr std::size_t kSockets = 4'000;

struct Parked {
    static Co<> receive(Stream& stream) { co_await stream.transport().until_readable(); }
    static Co<> read_head(Stream& stream) { co_await receive(stream); }
    static Co<> fetch(Stream& stream) { co_await read_head(stream); }
    static Co<> work(Stream& stream) { co_await fetch(stream); }
};

using Work = Co<> (*)(Stream&);

Co<double> heap_each(std::vector<Stream>& streams, Work work) {
    std::vector<Task<>> tasks;
    tasks.reserve(streams.size());
    const std::size_t before = mallinfo2().uordblks;
    for (Stream& stream : streams) tasks.push_back(create_task(work(stream)));
    co_await sleep(10ms);
    const std::size_t after = mallinfo2().uordblks;
    for (Task<>& task : tasks) task.cancel();
    for (Task<>& task : tasks) {
        while (!task.done()) co_await sleep(0s);
    }
    co_return static_cast<double>(after - before) / static_cast<double>(streams.size());
}

Co<double> measure(Endpoint endpoint, Work work) {
    std::vector<Stream> streams;
    streams.reserve(kSockets);
    for (std::size_t i = 0; i < kSockets; ++i) streams.push_back(co_await connect(endpoint));
    co_return co_await heap_each(streams, work);
}

}  // namespace
}  // namespace weft::aio

int main() {
    using namespace weft;
    bench::raise_descriptor_limit();
    const bench::Responder responder(1024);
    const auto heap = [&](aio::Work work) {
        return aio::run(aio::measure(responder.endpoint(), work));
    };
    bench::figure("heap per task parked on a socket, 4 levels", heap(aio::Parked::work), "B",
                  "<=704");
    bench::figure("heap per task parked on a socket, 1 level", heap(aio::Parked::receive), "B");
}
