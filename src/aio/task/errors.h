#pragma once

#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"

// All errors of aio. A failed operation throws, and the message names what was tried.
namespace weft::aio {

// Thrown at the await where a cancelled task is suspended. On purpose it is not a std::exception,
// so that `catch (const std::exception&)` cannot swallow a cancellation. Only `catch (...)` catches
// it, and such a handler must rethrow.
class CancelledError {};

// A deadline passed: of timeout(), wait_for() or a limit built on them.
class TimeoutError : public Error {
public:
    TimeoutError() : Error("timed out") {}
    explicit TimeoutError(const std::string& what) : Error(what) {}
};

// The state of the object does not allow the operation: a future gets a second result, or is asked
// for its result too early.
class InvalidStateError : public Error {
public:
    using Error::Error;
};

// The operating system or the peer refused an operation. The message names the operation and the
// peer; code() is the system's error.
class IoError : public Error {
public:
    IoError(const std::string& what, std::error_code code)
        : Error(what + ": " + code.message()), code_(code) {}

    std::error_code code() const { return code_; }

private:
    std::error_code code_;
};

// A name could not be resolved. `is_temporary()`: the name server failed, so another try may help.
class ResolveError : public Error {
public:
    ResolveError(const std::string& what, bool temporary) : Error(what), temporary_(temporary) {}

    bool is_temporary() const { return temporary_; }

private:
    bool temporary_;
};

// The peer closed the connection before everything that was asked for had arrived. `partial` holds
// what arrived.
class IncompleteReadError : public Error {
public:
    IncompleteReadError(std::string partial, std::size_t expected);

    const std::string& partial() const { return partial_; }
    std::size_t expected() const { return expected_; }  // 0: a separator was awaited, not a count.

private:
    std::string partial_;
    std::size_t expected_;
};

// The separator did not arrive within the limit. The bytes stay in the stream's buffer.
class LimitOverrunError : public Error {
public:
    explicit LimitOverrunError(std::size_t limit);
};

// get_nowait() found nothing.
class QueueEmpty : public Error {
public:
    QueueEmpty() : Error("the queue is empty") {}
};

// put_nowait() found no room.
class QueueFull : public Error {
public:
    QueueFull() : Error("the queue is full") {}
};

// put() after shutdown(), or get() once a shut-down queue has run empty.
class QueueShutDown : public Error {
public:
    QueueShutDown() : Error("the queue was shut down") {}
};

// The barrier was aborted or reset while the task waited at it, or was broken before.
class BrokenBarrierError : public Error {
public:
    BrokenBarrierError() : Error("the barrier is broken") {}
};

// Thrown at the co_yield where a generator is suspended, when the generator is closed. Like
// CancelledError it is not a std::exception, so that an ordinary handler cannot swallow it.
class GeneratorExit {};

// Ctrl-C ended the main coroutine of run() or Runner.
class KeyboardInterrupt : public Error {
public:
    KeyboardInterrupt() : Error("interrupted") {}
};

// The errors of the tasks of a TaskGroup, in the order in which they were raised. Never empty.
class ExceptionGroup : public Error {
public:
    explicit ExceptionGroup(std::vector<std::exception_ptr> exceptions);

    const std::vector<std::exception_ptr>& exceptions() const { return exceptions_; }

private:
    std::vector<std::exception_ptr> exceptions_;
};

// A readable description of any exception, also of one that is not a std::exception.
std::string describe(const std::exception_ptr& exception);

// Whether the exception is a CancelledError. Compares the type, without throwing.
bool is_cancellation(const std::exception_ptr& exception) noexcept;

}  // namespace weft::aio
