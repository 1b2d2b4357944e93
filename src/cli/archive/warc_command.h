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
    std::vector<std::string> files;       // WACZ files stand for the WARC files in them.
    std::string url;                      // Of cat-url.
    std::optional<std::uint64_t> offset;  // Of cat: only the record there.
    bool is_quiet = false;
    bool ignores_digests = false;  // Of cat-url.
};

void add_warc(CLI::App& app, WarcArguments& arguments);

// Runs the one of the five that was typed. Returns the exit status; exit_file if a file holds
// something that it should not. Throws IoError.
int run_warc(const CLI::App& app, const WarcArguments& arguments);

}  // namespace weft::cli
