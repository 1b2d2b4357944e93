#pragma once

#include <exception>
#include <string>
#include <system_error>
#include <vector>

#include "base/error.h"

// The whole error story of aio. Failed operations throw; the caller names the thing it tried.
namespace weft::aio {

// Thrown at the await where a cancelled task is suspended. Not a std::exception, on purpose: an
// honest `catch (const std::exception&)` cannot swallow a cancellation. Only `catch (...)` sees it,
// and that must rethrow.
class CancelledError {};

// A deadline passed: of timeout(), wait_for() or a limit built on them.
class TimeoutError : public Error {
public:
    TimeoutError() : Error("timed out") {}
    explicit TimeoutError(const std::string& what) : Error(what) {}
};

// An operation on a Future that its state does not allow: a second result, a result asked too
// early.
class InvalidStateError : public Error {
public:
    using Error::Error;
};

// The operating system or the peer said no: what we tried, with whom, and the code.
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

// The peer closed before all that was asked for had come; `partial` is what did.
class IncompleteReadError : public Error {
public:
    IncompleteReadError(std::string partial, std::size_t expected);

    const std::string& partial() const { return partial_; }
    std::size_t expected() const { return expected_; }  // 0: a separator was awaited, not a count.

private:
    std::string partial_;
    std::size_t expected_;
};

// A separator did not come within the limit. Nothing was consumed.
class LimitOverrunError : public Error {
public:
    explicit LimitOverrunError(std::size_t limit);
};

class QueueEmpty : public Error {
public:
    QueueEmpty() : Error("the queue is empty") {}
};

class QueueFull : public Error {
public:
    QueueFull() : Error("the queue is full") {}
};

// put() after shutdown(), or get() once a shut-down queue has run empty.
class QueueShutDown : public Error {
public:
    QueueShutDown() : Error("the queue was shut down") {}
};

// The barrier was aborted or reset while the task waited at it, or is broken already.
class BrokenBarrierError : public Error {
public:
    BrokenBarrierError() : Error("the barrier is broken") {}
};

// Thrown at the co_yield where a generator waits when it is told to close. Not a std::exception,
// for the reason that CancelledError is none.
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

// What a person can read of any exception, also of one that is no std::exception.
std::string describe(const std::exception_ptr& exception);

// Whether it is a CancelledError; asked of the type, without a throw.
bool is_cancellation(const std::exception_ptr& exception) noexcept;

}  // namespace weft::aio
