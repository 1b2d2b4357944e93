#include <algorithm>
#include <array>
#include <cerrno>
#include <charconv>
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
#include "cli/options/typed_url.h"
#include "http/access/netrc.h"
#include "web/url/percent.h"

namespace weft::cli {
namespace {

// A host name as URLs have it: "BÜCHER.example" is "xn--bcher-kva.example". Empty if it is not
// valid.
std::string host_of(const std::string& typed) {
    const auto url = web::Url::parse("http://" + typed + "/");
    std::string host(url ? url->hostname() : std::string_view());
    if (host.starts_with('[')) host = host.substr(1, host.size() - 2);
    return host;
}

// Parses curl's "HOST:PORT:ADDRESS[,ADDRESS]". IPv6 hosts are in brackets, addresses may be; "*" is
// any host. In curl a "+" in front makes the entry expire; here all entries last as long as the
// program.
http::FixedAddress parse_resolve(std::string text) {
    if (text.starts_with('+')) text.erase(0, 1);
    const auto fail = [&]() -> http::FixedAddress {
        throw UsageError(fmt::format("--resolve '{}': write it like example.com:443:192.0.2.1",
                                     escape_for_terminal(text)));
    };
    const std::size_t host_end = text.starts_with('[') ? text.find("]:") + 1 : text.find(':');
    if (host_end == 0 || host_end >= text.size()) return fail();
    http::FixedAddress fixed;
    fixed.host = text.starts_with("*:") ? "*" : host_of(text.substr(0, host_end));
    if (fixed.host.empty()) return fail();
    const char* end = text.data() + text.size();
    const auto [colon, error] = std::from_chars(text.data() + host_end + 1, end, fixed.port);
    if (error != std::errc() || colon == end || *colon != ':') return fail();
    std::string_view rest(colon + 1, end);
    while (!rest.empty()) {
        std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
        if (one.starts_with('[') && one.ends_with(']')) one = one.substr(1, one.size() - 2);
        const auto address = aio::IpAddress::parse(one);
        if (!address) return fail();
        fixed.addresses.push_back(*address);
    }
    return fixed.addresses.empty() ? fail() : fixed;
}

void set_protocols(const AccessArguments& arguments, http::ClientOptions& options) {
    if (arguments.v4 && arguments.v6) throw UsageError("-4 and -6 leave no address; give one");
    if (arguments.v4) options.family = http::AddressFamily::v4;
    if (arguments.v6) options.family = http::AddressFamily::v6;
    if (!arguments.bind_address.empty()) {
        options.bind_address = aio::IpAddress::parse(arguments.bind_address).value();
        const bool is_v4 = options.bind_address->is_v4();
        // A socket that is bound to an address can connect only to addresses of the same family.
        if (is_v4 ? arguments.v6 : arguments.v4) {
            throw UsageError(
                fmt::format("--bind-address {} leaves only IPv{} addresses, and -{} none",
                            arguments.bind_address, is_v4 ? 4 : 6, is_v4 ? 6 : 4));
        }
    }
    if (arguments.http1 + arguments.http2 + arguments.http2_prior_knowledge > 1) {
        throw UsageError("give one of --http1, --http2 and --http2-prior-knowledge");
    }
    options.protocols = http::Protocols::prefer_http2;
    if (arguments.http1) options.protocols = http::Protocols::http1;
    if (arguments.http2_prior_knowledge) {
        options.protocols = http::Protocols::http2_prior_knowledge;
    }
}

void set_proxies(const AccessArguments& arguments, http::ClientOptions& options) {
    // --proxy replaces all proxy settings of the environment, $no_proxy included.
    options.proxies = http::ProxySettings::from_environment();
    if (arguments.proxy) options.proxies = {.all = *arguments.proxy};
    if (!arguments.no_proxy.empty()) options.proxies.none = arguments.no_proxy;
    for (const std::string* text :
         {&options.proxies.http, &options.proxies.https, &options.proxies.all}) {
        if (text->empty()) continue;
        const auto proxy = http::Proxy::parse(*text);
        if (proxy) continue;
        throw UsageError(fmt::format("proxy '{}': {}", escape_for_terminal(without_login(*text)),
                                     describe(proxy.error())));
    }
}

// The file is --netrc-file, else $NETRC, else ~/.netrc.
std::vector<http::NetrcEntry> read_netrc(const AccessArguments& arguments) {
    if (!arguments.netrc && arguments.netrc_file.empty()) return {};
    std::string path = arguments.netrc_file;
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

void set_access(const AccessArguments& arguments, http::ClientOptions& options) {
    set_protocols(arguments, options);
    set_proxies(arguments, options);
    allow_networks(arguments.allow_nets, options.addresses);
    std::vector<http::FixedAddress>& rows = options.fixed_addresses;
    for (const std::string& text : arguments.resolve) {
        http::FixedAddress row = parse_resolve(text);
        // The client uses the first row that matches, so "*" must come last.
        rows.insert(row.host == "*" ? rows.end() : rows.begin(), std::move(row));
    }
    if (arguments.limit_rate_bytes.value_or(0) > 0) {
        options.bandwidth = std::make_shared<http::Bandwidth>(*arguments.limit_rate_bytes);
    }
    options.ca_file = arguments.ca_certificate;
    options.verify_certificates = !arguments.no_check_certificate;
}

void set_logins(const AccessArguments& arguments, std::span<web::Url> typed,
                http::ClientOptions& options) {
    std::vector<http::Credentials>& logins = options.credentials;
    if (!arguments.user.empty() || !arguments.bearer.empty()) {
        const std::string_view option = arguments.user.empty() ? "--oauth2-bearer" : "--user";
        const std::string& user = arguments.user;
        // As in curl, everything behind the first colon is the password.
        const std::size_t colon = std::min(user.find(':'), user.size());
        const std::string behind = user.substr(std::min(colon + 1, user.size()));
        logins.push_back({.origin = only_origin(typed, option),
                          .user = user.substr(0, colon),
                          .password = behind.empty() ? arguments.password : behind,
                          .bearer_token = arguments.bearer,
                          .unasked = arguments.basic});
    } else if (!arguments.password.empty()) {
        throw UsageError("--password without --user: give the name too");
    }
    for (web::Url& url : typed) take_url_login(url, arguments.basic, logins);
    // Only for origins without a login so far: options and URLs win over .netrc.
    const std::vector<http::NetrcEntry> entries = read_netrc(arguments);
    for (const web::Url& url : typed) {
        const auto is_known = [&](const http::Credentials& one) { return one.origin.is_of(url); };
        if (entries.empty() || std::ranges::any_of(logins, is_known)) continue;
        if (const auto* entry = http::find_machine(entries, url.hostname())) {
            logins.push_back({.origin = http::Origin::of(url),
                              .user = entry->login,
                              .password = entry->password,
                              .bearer_token = {},
                              .unasked = arguments.basic});
        }
    }
    if (!arguments.certificate.empty()) {
        options.certificate = {.origin = only_origin(typed, "--cert"),
                               .certificate_file = arguments.certificate,
                               .key_file = arguments.key};
    } else if (!arguments.key.empty()) {
        throw UsageError("--key without --cert: give the certificate too");
    }
}

http::Headers parse_headers(const std::vector<std::string>& texts) {
    http::Headers headers;
    for (const std::string& text : texts) {
        const std::size_t colon = text.find(':');
        if (colon == 0 || colon == std::string::npos) {
            throw UsageError(fmt::format("--header '{}': write it like 'Name: value'",
                                         escape_for_terminal(shown_value("header", text))));
        }
        headers.add(text.substr(0, colon), trim(std::string_view(text).substr(colon + 1)));
    }
    return headers;
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
