#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "http/client/client_options.h"
#include "http/message/headers.h"
#include "web/url/url.h"

namespace CLI {
class App;
}

// How servers are reached, whom we trust and who we are: the options that `fetch`, `crawl` and
// `resume` share.
namespace weft::cli {

// As typed; set_access() and its kin turn text into values.
struct AccessArguments {
    std::vector<std::string> headers;
    bool header_anywhere = false;  // Else to the origins that are typed.

    // The way.
    bool v4 = false;
    bool v6 = false;
    bool http1 = false;
    bool http2 = false;
    bool http2_prior_knowledge = false;
    std::vector<std::string> allow_nets;
    std::vector<std::string> resolve;
    std::string dns_servers;
    std::optional<std::string> proxy;
    std::string no_proxy;
    std::string bind_address;
    std::optional<std::uint64_t> limit_rate_bytes;  // A second; 0: no limit.

    // Trust and names.
    std::string ca_certificate;
    bool no_check_certificate = false;
    std::string certificate;
    std::string key;
    std::string user;
    std::string password;
    bool basic = false;
    std::string bearer;
    bool netrc = false;
    std::string netrc_file;
    std::string load_cookies;
    std::string save_cookies;
};

// Where a command's help lists them.
struct AccessGroups {
    std::string request;
    std::string way;
    std::string trust;
};

// `has_letters`: curl's short names too. A crawl has most of these letters for other things.
void add_access(CLI::App& command, AccessArguments& arguments, const AccessGroups& groups,
                bool has_letters);

// Addresses, protocols, proxies, certificates that are trusted. Throws UsageError.
void set_access(const AccessArguments& arguments, http::ClientOptions& options);

// Our login and our certificate, for the one origin of `typed`: given as options, else in the URLs,
// else in a .netrc file, which may name several origins. Users and passwords are taken out of the
// URLs. Throws UsageError where the options leave open for which origin they are.
void set_logins(const AccessArguments& arguments, std::span<web::Url> typed,
                http::ClientOptions& options);

// The fields of --header. Throws UsageError.
http::Headers parse_headers(const std::vector<std::string>& texts);

// The whole of a file, `-` being standard input. Throws IoError.
std::string read_file(const std::string& path);

// Makes a file that nobody else may read. Throws IoError.
void write_secret(const std::string& path, std::string_view text);

}  // namespace weft::cli
