#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstdlib>
#include <memory>
#include <system_error>

#include <fmt/format.h>

#include "aio/task/errors.h"
#include "base/bytes.h"
#include "base/error.h"
#include "base/escape.h"
#include "cli/fetch/fetch_output.h"
#include "cli/options/access_options.h"
#include "cli/options/secrets.h"
#include "http/access/netrc.h"
#include "web/url/percent.h"

namespace weft::cli {
namespace {

void set_protocols(AccessOptions& access) {
    http::ClientOptions& options = access.client;
    if (access.v4 && access.v6) throw UsageError("-4 and -6 leave no address; give one");
    if (access.v4) options.family = http::AddressFamily::v4;
    if (access.v6) options.family = http::AddressFamily::v6;
    // A socket that is bound to an address can connect only to addresses of the same family.
    if (options.bind_address && (options.bind_address->is_v4() ? access.v6 : access.v4)) {
        const bool is_v4 = options.bind_address->is_v4();
        throw UsageError(fmt::format("--bind-address {} leaves only IPv{} addresses, and -{} none",
                                     options.bind_address->to_string(), is_v4 ? 4 : 6,
                                     is_v4 ? 6 : 4));
    }
    if (access.http1 + access.http2 + access.http2_prior_knowledge > 1) {
        throw UsageError("give one of --http1, --http2 and --http2-prior-knowledge");
    }
    if (access.http1) options.protocols = http::Protocols::http1;
    if (access.http2_prior_knowledge) {
        options.protocols = http::Protocols::http2_prior_knowledge;
    }
}

void set_proxies(AccessOptions& access) {
    http::ProxySettings& proxies = access.client.proxies;
    proxies = http::ProxySettings::from_environment();
    // As in curl, --proxy replaces the proxies of the environment, but not $no_proxy.
    if (access.proxy) proxies = {.all = *access.proxy, .none = proxies.none};
    if (!access.no_proxy.empty()) proxies.none = access.no_proxy;
    for (const std::string* text : {&proxies.http, &proxies.https, &proxies.all}) {
        if (text->empty()) continue;
        const auto proxy = http::Proxy::parse(*text);
        if (proxy) continue;
        throw UsageError(fmt::format("proxy '{}': {}", escape_for_terminal(without_login(*text)),
                                     describe(proxy.error())));
    }
}

// The file is --netrc-file, else $NETRC, else ~/.netrc.
std::vector<http::NetrcEntry> read_netrc(const AccessOptions& access) {
    if (!access.netrc && access.netrc_file.empty()) return {};
    std::string path = access.netrc_file;
    if (const char* named = std::getenv("NETRC"); path.empty() && named) path = named;
    const char* home = std::getenv("HOME");
    if (path.empty()) path = fmt::format("{}/.netrc", home ? home : "");
    return http::parse_netrc(read_file(path));
}

// Logins that are given as options are for one origin only. Throws if the seeds have several.
// REQUIRES: !typed.empty()
http::Origin only_origin(std::span<web::Url> typed, std::string_view option) {
    http::Origin origin = http::Origin::of(typed.front());
    for (const web::Url& url : typed) {
        if (origin.is_of(url)) continue;
        throw UsageError(fmt::format(
            "{} is for one origin, but {}://{} and {}://{} are given: crawl them apart, or put "
            "each one's user and password into a file for --netrc-file",
            option, typed.front().scheme(), typed.front().host(), url.scheme(), url.host()));
    }
    return origin;
}

// Moves user and password from the URL into `found`, so that they do not stay part of the URL.
void take_url_login(web::Url& url, bool is_basic, std::vector<http::Credentials>& found) {
    if (!url.has_credentials()) return;
    found.push_back({.origin = http::Origin::of(url),
                     .user = web::percent_decode(url.username()),
                     .password = web::percent_decode(url.password()),
                     .bearer_token = {},
                     .unasked = is_basic});
    url.set_username("");
    url.set_password("");
}

}  // namespace

void set_access(AccessOptions& access) {
    set_protocols(access);
    set_proxies(access);
    if (access.bytes_per_second) {
        access.client.bandwidth = std::make_shared<http::Bandwidth>(*access.bytes_per_second);
    }
}

void set_logins(AccessOptions& access, std::span<web::Url> typed) {
    http::ClientOptions& options = access.client;
    std::vector<http::Credentials>& logins = options.credentials;
    if (!access.user.empty() || !access.bearer.empty()) {
        const std::string_view option = access.user.empty() ? "--oauth2-bearer" : "--user";
        const std::string& user = access.user;
        // As in curl, everything behind the first colon is the password.
        const std::size_t colon = std::min(user.find(':'), user.size());
        const std::string behind = user.substr(std::min(colon + 1, user.size()));
        logins.push_back({.origin = only_origin(typed, option),
                          .user = user.substr(0, colon),
                          .password = behind.empty() ? access.password : behind,
                          .bearer_token = access.bearer,
                          .unasked = access.basic});
    } else if (!access.password.empty()) {
        throw UsageError("--password without --user: give the name too");
    }
    for (web::Url& url : typed) take_url_login(url, access.basic, logins);
    // Only for origins without a login so far: options and URLs win over .netrc.
    const std::vector<http::NetrcEntry> entries = read_netrc(access);
    for (const web::Url& url : typed) {
        const auto is_known = [&](const http::Credentials& one) { return one.origin.is_of(url); };
        if (entries.empty() || std::ranges::any_of(logins, is_known)) continue;
        if (const auto* entry = http::find_machine(entries, url.hostname())) {
            logins.push_back({.origin = http::Origin::of(url),
                              .user = entry->login,
                              .password = entry->password,
                              .bearer_token = {},
                              .unasked = access.basic});
        }
    }
    if (!access.certificate.empty()) {
        options.certificate = {.origin = only_origin(typed, "--cert"),
                               .certificate_file = access.certificate,
                               .key_file = access.key};
    } else if (!access.key.empty()) {
        throw UsageError("--key without --cert: give the certificate too");
    }
}

void load_cookies(AccessOptions& access) {
    access.client.cookies = std::make_shared<http::ClientCookies>();
    if (access.load_cookies.empty() || access.has_cookie_text()) return;
    access.client.cookies->load(read_file(access.load_cookies), SystemClock().wall());
}

std::string read_file(const std::string& path) {
    const auto fail = [&] {
        throw aio::IoError(fmt::format("cannot read {}", escape_for_terminal(path)),
                           std::error_code(errno, std::generic_category()));
    };
    const bool is_stdin = path == "-";
    const auto close = [&](std::FILE* file) { return is_stdin ? 0 : std::fclose(file); };
    // tidy: allow banned-call: the user may name a pipe or a device.
    std::FILE* opened = is_stdin ? stdin : std::fopen(path.c_str(), "rbe");
    const std::unique_ptr<std::FILE, decltype(close)> file(opened, close);
    if (!file) fail();
    std::string text;
    std::array<char, 64 * 1024> room;
    while (const std::size_t count = std::fread(room.data(), 1, room.size(), file.get())) {
        text.append(room.data(), count);
    }
    if (std::ferror(file.get())) fail();
    return text;
}

void write_secret(const std::string& path, std::string_view text) {
    FetchOutput file(path, FetchOutput::Readers::owner);
    file.write(text);
    file.close();
}

}  // namespace weft::cli
