// Mistakes of every day: the compiler has something to say in each line that is marked, and in no
// other. Read by compiler_test.py.
#include "aio/aio.h"

using namespace weft;
using namespace std::chrono_literals;

aio::Co<int> answer() {
    co_return 42;
}

aio::Co<> forgotten(aio::Queue<int>& queue, aio::Event& event, aio::Lock& lock,
                    aio::Semaphore& semaphore, aio::Condition& condition, aio::Barrier& barrier,
                    aio::Stream& stream, aio::Future<int> future) {
    answer();                          // WARNS co_await it
    aio::sleep(1s);                    // WARNS co_await it
    aio::yield_now();                  // WARNS co_await it
    aio::timeout(1s);                  // WARNS auto deadline = co_await
    aio::wait_for(answer(), 1s);       // WARNS co_await it
    aio::wait_for(queue.get(), 1s);    // WARNS co_await it
    aio::gather(answer(), answer());   // WARNS co_await it
    aio::as_result(answer());          // WARNS co_await it
    aio::shield(answer());             // WARNS co_await it
    aio::wait_until(event, {});        // WARNS co_await it
    aio::signals({1});                 // WARNS co_await it
    aio::readable(0);                  // WARNS co_await
    aio::to_thread([] { return 1; });  // WARNS co_await it
    aio::ensure_future(future);        // WARNS co_await it
    queue.get();                       // WARNS co_await
    queue.put(1);                      // WARNS co_await
    queue.join();                      // WARNS co_await
    event.wait();                      // WARNS co_await
    lock.acquire();                    // WARNS co_await
    semaphore.acquire();               // WARNS co_await
    condition.wait();                  // WARNS co_await it
    barrier.wait();                    // WARNS co_await
    stream.readline(10);               // WARNS co_await it
    stream.write("x");                 // WARNS co_await it
    aio::create_task(answer());
    const int number = co_await answer();
    queue.put_nowait(number);
    co_await aio::sleep(1s);
}

aio::Co<> show(const std::string& text) {
    co_await aio::sleep(1s);
    puts(text.c_str());
}

aio::Co<> show_value(std::string text) {
    co_await aio::sleep(1s);
    puts(text.c_str());
}

aio::Co<> dangling() {
    int local = 1;
    const std::string kept = "kept";
    auto a = aio::create_task(show(std::string("gone")));  // WARNS will be destroyed
    // tidy: allow task-lambda: the mistake that the compiler finds
    auto b = aio::create_task([&]() -> aio::Co<> {  // WARNS will be destroyed
        local += 1;
        co_return;
    }());
    aio::Co<> c = show(std::string("gone"));  // WARNS will be destroyed
    auto d = aio::create_task(show_value(std::string("moved along")));
    auto e = aio::create_task(show(kept));
    auto f = aio::create_task([](int n) -> aio::Co<int> { co_return n; }(local));
    co_await show(std::string("lives to the end of the statement"));
    co_await std::move(c);
    co_await aio::gather(show(std::string("so")), show(std::string("do these")));
    co_await d;
}
