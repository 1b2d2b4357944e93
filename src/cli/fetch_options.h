#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
}

namespace weft::cli {

// `weft fetch`, as typed; text becomes values in run_fetch().
struct FetchArguments {
    std::string url;

    // The request.
    std::string method;
    bool head = false;
    std::vector<std::string> headers;
    std::vector<std::string> data;
    std::string range;
    std::string user_agent = "weft/" WEFT_VERSION;
    std::optional<int> redirects_max;
    bool location = false;  // What happens anyway; curl users type it.

    // The answer.
    std::string output;
    bool remote_name = false;
    bool verbose = false;
    bool quiet = false;
    bool json = false;
    bool raw = false;
    std::optional<std::uint64_t> bytes_max;

    // The way.
    std::optional<double> timeout_seconds;
    std::optional<double> connect_timeout_seconds;
    bool http1 = false;
    bool http2 = false;
    bool http2_prior_knowledge = false;
    bool v4 = false;
    bool v6 = false;
    std::vector<std::string> allow_nets;
    std::vector<std::string> resolve;
    std::string dns_servers;
    std::optional<std::string> proxy;
    std::string no_proxy;

    // Trust and names.
    std::string ca_certificate;
    bool no_check_certificate = false;
    std::string certificate;
    std::string key;
    std::string tls_sessions;
    std::string user;
    bool basic = false;
    std::string bearer;
    bool netrc = false;
    std::string netrc_file;
    std::string load_cookies;
    std::string save_cookies;
};

// Adds the command with its options.
void add_fetch(CLI::App& app, FetchArguments& arguments);

}  // namespace weft::cli
