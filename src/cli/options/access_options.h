#pragma once

#include <optional>
#include <span>
#include <string>

#include "aio/net/ares_resolver.h"
#include "cli/options/option_table.h"
#include "http/client/client_options.h"
#include "http/message/headers.h"
#include "web/url/url.h"

// How servers are reached, which servers are trusted, and how the user logs in: the options that
// `fetch`, `crawl` and `resume` share.
namespace weft::cli {

// An option is parsed straight into the field that it sets; set_access() and set_logins() set what
// depends on several.
struct AccessOptions {
    http::ClientOptions client;
    aio::ResolverOptions resolver;
    http::Headers headers;
    bool header_anywhere = false;  // If false, --header goes only to the origins that are typed.

    // How servers are reached.
    bool v4 = false;
    bool v6 = false;
    bool http1 = false;
    bool http2 = false;
    bool http2_prior_knowledge = false;
    std::optional<std::string> proxy;
    std::string no_proxy;
    std::optional<std::uint64_t> bytes_per_second;

    // The user's logins.
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

    // As in curl: with "=" the value of --load-cookies is a cookie, else the name of a file.
    bool has_cookie_text() const { return load_cookies.contains('='); }
};

// The headings under which a command's help lists these options.
struct AccessGroups {
    const char* request;
    const char* way;
    const char* trust;
};

// `has_letters` adds curl's short names. A crawl uses most of these letters for other options.
void add_access(CLI::App& command, AccessOptions& options, const AccessGroups& groups,
                bool has_letters);
std::vector<OptionSpec<AccessOptions>> access_rows();

// Sets family, protocols, proxies and bandwidth of the client. Throws UsageError.
void set_access(AccessOptions& options);

// Sets the user's login and client certificate for the one origin of the `typed` URLs. The login
// comes from the options, else from the URLs, else from a .netrc file, which may name several
// origins. Users and passwords are removed from the URLs. Throws UsageError if it is not clear for
// which origin an option is meant.
void set_logins(AccessOptions& options, std::span<web::Url> typed);

// Gives the client a cookie jar, with the cookies of the file of --load-cookies. Throws IoError.
void load_cookies(AccessOptions& options);

// Reads a whole file; `-` is standard input. Throws IoError.
std::string read_file(const std::string& path);

// Writes a file that only its owner may read. Throws IoError.
void write_secret(const std::string& path, std::string_view text);

}  // namespace weft::cli
