#pragma once

#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace weft::cli {

// `weft mirror DIR TARGET`, as typed.
struct MirrorArguments {
    std::string folder;
    std::string target;
    std::vector<std::string> earlier;
    bool ignores_digests = false;
};

void add_mirror(CLI::App& app, MirrorArguments& arguments);

// Makes the mirror and prints what was done. Throws UsageError if the folder holds no crawl, or the
// target something else than a mirror.
int run_mirror(const MirrorArguments& arguments);

}  // namespace weft::cli
