#pragma once

namespace weft {

// Prints the place and the condition to standard error and aborts. Called by WEFT_ASSERT only.
[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

// Prints `what` to standard error and aborts. For a programmer's wrong use of a weft class: `what`
// says what the program did and what it should do instead.
[[noreturn]] void misuse(const char* what);

}  // namespace weft

// Checks a condition that only a bug in weft can break. It is checked in release builds too, so the
// condition must be cheap. If it is false, prints it and aborts.
#define WEFT_ASSERT(c) \
    (__builtin_expect(!!(c), 1) ? void(0) : ::weft::assertion_failed(#c, __FILE__, __LINE__))
