#pragma once

namespace weft {

[[noreturn]] void assertion_failed(const char* condition, const char* file, int line);

// For wrong use that a person can mend: `what` says what was done and what to do instead.
[[noreturn]] void misuse(const char* what);

}  // namespace weft

// A bug of ours, checked in release builds too: prints the condition and aborts.
#define WEFT_ASSERT(c) \
    (__builtin_expect(!!(c), 1) ? void(0) : ::weft::assertion_failed(#c, __FILE__, __LINE__))
