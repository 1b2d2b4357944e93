#include <algorithm>
#include <cstdint>

#include "aio/loop/run.h"
#include "bench/figure.h"

// A million awaits of children that are done at once: none may leave anything on the stack.
namespace weft::aio {
namespace {

struct Reach {
    std::uintptr_t lowest = UINTPTR_MAX;
    std::uintptr_t highest = 0;
    void note(const void* frame) {
        const auto place = reinterpret_cast<std::uintptr_t>(frame);
        lowest = std::min(lowest, place);
        highest = std::max(highest, place);
    }
};

// Not inlined, or the compiler would make a plain loop of it.
[[gnu::noinline]] Co<> child(Reach& reach) {
    reach.note(__builtin_frame_address(0));
    co_return;
}

Co<Reach> await_many(int count) {
    Reach reach;
    for (int i = 0; i < count; ++i) co_await child(reach);
    co_return reach;
}

}  // namespace
}  // namespace weft::aio

int main() {
    const weft::aio::Reach reach = weft::aio::run(weft::aio::await_many(1'000'000));
    weft::bench::figure("stack growth over 1,000,000 ready awaits",
                        static_cast<double>(reach.highest - reach.lowest), "B", "<=0");
}
