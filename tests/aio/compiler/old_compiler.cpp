// A compiler that gets coroutines wrong. Read by compiler_test.py.
#include "aio/task/co.h"
