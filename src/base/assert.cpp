#include "base/assert.h"

#include <cstdio>
#include <cstdlib>

namespace weft {

void assertion_failed(const char* condition, const char* file, int line) {
    std::fprintf(stderr, "%s:%d: assertion failed: %s\n", file, line, condition);
    std::abort();
}

void misuse(const char* what) {
    std::fprintf(stderr, "weft: misuse: %s\n", what);
    std::abort();
}

}  // namespace weft
