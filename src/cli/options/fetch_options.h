#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "cli/options/access_options.h"

namespace CLI {
class App;
}

namespace weft::cli {

// `weft fetch`, as typed; make_plan() turns the text into values.
struct FetchArguments {
    std::string url;

    // The request.
    std::string method;
    bool head = false;
    std::vector<std::string> data;
    std::string range;
    std::string user_agent = "weft/" WEFT_VERSION;
    std::optional<int> redirects_max;
    bool location = false;  // Accepted for curl's sake; redirects are always followed.

    // The response.
    std::string output;
    bool remote_name = false;
    bool verbose = false;
    bool quiet = false;
    bool json = false;
    bool raw = false;
    std::optional<std::uint64_t> bytes_max;

    // The connection.
    std::optional<double> timeout_seconds;
    std::optional<double> connect_timeout_seconds;
    AccessArguments access;
    std::string tls_sessions;
};

// Adds the command with its options.
void add_fetch(CLI::App& app, FetchArguments& arguments);

}  // namespace weft::cli
