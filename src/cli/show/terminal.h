#pragma once

#include <cstdio>

namespace weft::cli {

// Whether `stream` is a terminal that moves its cursor and knows colours: neither a file nor a pipe
// nor TERM=dumb.
bool is_able_terminal(std::FILE* stream);

}  // namespace weft::cli
