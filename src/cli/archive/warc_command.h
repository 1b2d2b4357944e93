#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace weft::cli {

// `weft warc ls|cat|verify|cat-url|index`, as typed.
struct WarcArguments {
    std::vector<std::string> files;       // A WACZ file stands for the WARC files in it.
    std::string url;                      // Only for cat-url.
    std::optional<std::uint64_t> offset;  // For cat: only the record at this offset.
    bool is_quiet = false;
    bool ignores_digests = false;  // Only for cat-url.
};

void add_warc(CLI::App& app, WarcArguments& arguments);

// Runs the subcommand that was typed. Returns the exit status: exit_file if a file is damaged.
// Throws IoError.
int run_warc(const CLI::App& command, const WarcArguments& arguments);

}  // namespace weft::cli
