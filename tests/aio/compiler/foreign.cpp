// What the loop could never resume. Read by compiler_test.py.
#include <coroutine>

#include "aio/aio.h"

weft::aio::Co<> hang() {
    co_await std::suspend_always{};  // FAILS derives from aio::Waiter
}
