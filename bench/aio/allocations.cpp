#include <atomic>
#include <cstddef>

#include "aio/loop/run.h"
#include "bench/aio/http.h"
#include "bench/figure.h"

// Everything that this process takes from the heap goes through here and is counted.
extern "C" void* __libc_malloc(std::size_t bytes);
extern "C" void* __libc_calloc(std::size_t count, std::size_t bytes);
extern "C" void* __libc_realloc(void* memory, std::size_t bytes);

namespace {
std::atomic<std::size_t> allocation_count = 0;
}

extern "C" void* malloc(std::size_t bytes) noexcept {
    ++allocation_count;
    return __libc_malloc(bytes);
}
extern "C" void* calloc(std::size_t count, std::size_t bytes) noexcept {
    ++allocation_count;
    return __libc_calloc(count, bytes);
}
extern "C" void* realloc(void* memory, std::size_t bytes) noexcept {
    ++allocation_count;
    return __libc_realloc(memory, bytes);
}

namespace weft::bench {
namespace {

constexpr int kWarmUp = 100;
constexpr int kRequests = 10'000;

aio::Co<std::size_t> allocations_of_many(aio::Endpoint endpoint) {
    aio::Stream stream = co_await aio::connect(endpoint);
    const std::string request = get_request("/");
    for (int i = 0; i < kWarmUp; ++i) co_await get(stream, request);
    const std::size_t before = allocation_count;
    for (int i = 0; i < kRequests; ++i) co_await get(stream, request);
    co_return allocation_count - before;
}

}  // namespace
}  // namespace weft::bench

int main() {
    using namespace weft::bench;
    const Responder responder(1024);
    const std::size_t count = weft::aio::run(allocations_of_many(responder.endpoint()));
    figure("allocations per steady keep-alive request", static_cast<double>(count) / kRequests,
           "count", "<=0");
}
