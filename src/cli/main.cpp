#include <string_view>

#include <fmt/format.h>

namespace {

constexpr std::string_view kHelp =
    "Usage: weft <command> [options]\n"
    "\n"
    "  --help       show this\n"
    "  --version    show the version\n";

}  // namespace

int main(int argc, char** argv) {
    const std::string_view argument = argc > 1 ? argv[1] : "--help";
    if (argument == "--help") {
        fmt::print("{}", kHelp);
        return 0;
    }
    if (argument == "--version") {
        fmt::print("weft {}\n", WEFT_VERSION);
        return 0;
    }
    fmt::print(stderr, "weft: error: no command '{}'; see weft --help\n", argument);
    return 2;
}
