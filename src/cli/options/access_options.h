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

// How servers are reached, which servers are trusted, and how the user logs in: the options that
// `fetch`, `crawl` and `resume` share.
namespace weft::cli {

// As typed; set_access() and set_logins() turn the text into values.
struct AccessArguments {
    std::vector<std::string> headers;
    bool header_anywhere = false;  // If false, --header goes only to the origins that are typed.

    // How servers are reached.
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
    std::optional<std::uint64_t> limit_rate_bytes;  // Per second; 0: no limit.

    // Trust, and the user's logins.
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

// The headings under which a command's help lists these options.
struct AccessGroups {
    std::string request;
    std::string way;
    std::string trust;
};

// `has_letters` adds curl's short names. A crawl uses most of these letters for other options.
void add_access(CLI::App& command, AccessArguments& arguments, const AccessGroups& groups,
                bool has_letters);

// Sets addresses, protocols, proxies and trusted certificates. Throws UsageError.
void set_access(const AccessArguments& arguments, http::ClientOptions& options);

// Sets the user's login and client certificate for the one origin of the `typed` URLs. The login
// comes from the options, else from the URLs, else from a .netrc file, which may name several
// origins. Users and passwords are removed from the URLs. Throws UsageError if it is not clear for
// which origin an option is meant.
void set_logins(const AccessArguments& arguments, std::span<web::Url> typed,
                http::ClientOptions& options);

// The fields of --header. Throws UsageError.
http::Headers parse_headers(const std::vector<std::string>& texts);

// Reads a whole file; `-` is standard input. Throws IoError.
std::string read_file(const std::string& path);

// Writes a file that only its owner may read. Throws IoError.
void write_secret(const std::string& path, std::string_view text);

}  // namespace weft::cli
