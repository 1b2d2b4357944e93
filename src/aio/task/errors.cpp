#include "aio/task/errors.h"

#include <typeinfo>

#include <fmt/format.h>

namespace weft::aio {

IncompleteReadError::IncompleteReadError(std::string partial, std::size_t expected)
    : Error(expected == 0
                ? fmt::format("the peer closed after {} bytes, before the separator came",
                              partial.size())
                : fmt::format("the peer closed after {} of {} bytes", partial.size(), expected)),
      partial_(std::move(partial)),
      expected_(expected) {}

LimitOverrunError::LimitOverrunError(std::size_t limit)
    : Error(fmt::format("no separator within the limit of {} bytes", limit)) {}

namespace {

std::string summary(const std::vector<std::exception_ptr>& exceptions) {
    if (exceptions.size() == 1) return fmt::format("a task failed: {}", describe(exceptions[0]));
    return fmt::format("{} tasks failed, the first: {}", exceptions.size(),
                       describe(exceptions.at(0)));
}

}  // namespace

ExceptionGroup::ExceptionGroup(std::vector<std::exception_ptr> exceptions)
    : Error(summary(exceptions)), exceptions_(std::move(exceptions)) {}

bool is_cancellation(const std::exception_ptr& exception) noexcept {
    if (!exception) return false;
// libstdc++ knows the type of a stored exception, which saves a throw.
#ifdef __GLIBCXX__
    const std::type_info* type = exception.__cxa_exception_type();
    return type && *type == typeid(CancelledError);
#else
    try {
        std::rethrow_exception(exception);
    } catch (const CancelledError&) {
        return true;
    } catch (...) {  // tidy: allow catch-all: only the type is asked
        return false;
    }
#endif
}

// Only a rethrow gives access to the object behind an exception_ptr.
std::string describe(const std::exception_ptr& exception) {
    if (!exception) return "no error";
    try {
        std::rethrow_exception(exception);
    } catch (const std::exception& error) {
        return error.what();
    } catch (const CancelledError&) {
        return "cancelled";
    } catch (const GeneratorExit&) {
        return "a generator was closed";
    } catch (...) {  // tidy: allow catch-all: describes, does not handle
        return "an exception of unknown type";
    }
}

}  // namespace weft::aio
