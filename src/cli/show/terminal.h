#pragma once

#include <cstdio>

namespace weft::cli {

// Whether `stream` is a terminal that can move its cursor and show colours: not a file, not a pipe,
// not TERM=dumb.
bool is_able_terminal(std::FILE* stream);

}  // namespace weft::cli
