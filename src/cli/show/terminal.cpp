#include "cli/show/terminal.h"

#include <cstdlib>
#include <string_view>

#include <unistd.h>

namespace weft::cli {

bool is_able_terminal(std::FILE* stream) {
    const char* const value = std::getenv("TERM");
    const std::string_view name = value ? value : "";
    return isatty(fileno(stream)) && !name.empty() && name != "dumb";
}

}  // namespace weft::cli
