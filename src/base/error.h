#pragma once

#include <stdexcept>
#include <string>

namespace weft {

// The root of every failed operation in weft. `what()` names the thing, the reason and, where there
// is one, the way out.
//
// Bad input is not an Error: parsers return std::expected. A bug is not an Error: WEFT_ASSERT
// aborts. aio::CancelledError is not an Error either, so that a handler of Errors cannot swallow a
// cancellation.
class Error : public std::runtime_error {
public:
    using std::runtime_error::runtime_error;
};

// The command line or a configuration file asks for something impossible: exit status 2.
class UsageError : public Error {
public:
    using Error::Error;
};

}  // namespace weft
