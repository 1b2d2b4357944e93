#include "aio/task/co.h"

static weft::aio::Co<int> later(int value) {
    co_return value;
}

static weft::aio::Co<> nothing() {
    co_return;
}

static weft::aio::Co<int> twice() {
    const int value = co_await later(21);
    co_await nothing();
    co_return 2 * value;
}

int main() {
    const weft::aio::Co<int> never_run = twice();
    return 0;
}
