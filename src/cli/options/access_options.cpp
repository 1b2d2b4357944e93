#include "cli/options/access_options.h"

#include <array>
#include <charconv>

#include "aio/net/socket_network.h"
#include "base/bytes.h"
#include "cli/options/secrets.h"
#include "http/connect/address_range.h"

namespace weft::cli {
namespace {

using enum Keeping;
using AccessRow = OptionSpec<AccessOptions>;

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
std::optional<http::FixedAddress> parse_resolve(std::string text) {
    if (text.starts_with('+')) text.erase(0, 1);
    const std::size_t host_end = text.starts_with('[') ? text.find("]:") + 1 : text.find(':');
    if (host_end == 0 || host_end >= text.size()) return std::nullopt;
    http::FixedAddress fixed;
    fixed.host = text.starts_with("*:") ? "*" : host_of(text.substr(0, host_end));
    if (fixed.host.empty()) return std::nullopt;
    const char* end = text.data() + text.size();
    const auto [colon, error] = std::from_chars(text.data() + host_end + 1, end, fixed.port);
    if (error != std::errc() || colon == end || *colon != ':') return std::nullopt;
    std::string_view rest(colon + 1, end);
    while (!rest.empty()) {
        std::string_view one = rest.substr(0, rest.find(','));
        rest.remove_prefix(std::min(one.size() + 1, rest.size()));
        if (one.starts_with('[') && one.ends_with(']')) one = one.substr(1, one.size() - 2);
        const auto address = aio::IpAddress::parse(one);
        if (!address) return std::nullopt;
        fixed.addresses.push_back(*address);
    }
    return fixed.addresses.empty() ? std::nullopt : std::optional(fixed);
}

std::string complaint_about_resolve(const std::string& text) {
    return parse_resolve(text) ? "" : "write it like example.com:443:192.0.2.1";
}

std::string complaint_about_network(const std::string& text) {
    return http::AddressRange::parse(text) ? "" : "not an address range; write it like 10.0.0.0/8";
}

// A socket can be bound only to an address of this machine.
std::string complaint_about_own_address(const std::string& text) {
    const auto address = aio::IpAddress::parse(text);
    if (!address) return "not an address; write it like 192.0.2.1 or 2001:db8::1";
    return aio::is_own_address(*address) ? "" : "not an address of this machine";
}

// The fields of --header. The message must not show a secret.
OptionValue fields(http::Headers& headers) {
    const auto take = [&headers](const std::string& text) {
        const std::size_t colon = text.find(':');
        headers.add(text.substr(0, colon), trim(std::string_view(text).substr(colon + 1)));
    };
    OptionValue value = texts(take, nullptr);
    value.check = CLI::Validator(
        [](const std::string& text) -> std::string {
            const std::size_t colon = text.find(':');
            const bool is_field = colon != 0 && colon != std::string::npos;
            const bool is_line = text.find_first_of(std::string_view("\r\n\0", 3)) == text.npos;
            if (is_field && is_line) return "";
            return fmt::format("'{}': {}", escape_for_terminal(shown_value("header", text)),
                               is_field ? "a field of a request is one line of text"
                                        : "write it like 'Name: value'");
        },
        "");
    return value;
}

constexpr AccessRow kRequest[] = {
    // Secret fields are not kept: secret_options().
    {"-H,--header", "FIELD", "a header field, 'Name: value', sent to the origins of the typed URLs",
     [](auto& access) { return fields(access.headers); }},
    // A folder must not decide who gets a secret.
    {"--header-anywhere", "",
     "send these fields to all other origins too, except Authorization and Cookie",
     [](auto& access) { return flag(access.header_anywhere); }, given_again},
};

constexpr AccessRow kWay[] = {
    {"-4,--ipv4", "", "only IPv4 addresses", [](auto& access) { return flag(access.v4); }},
    {"-6,--ipv6", "", "only IPv6 addresses", [](auto& access) { return flag(access.v6); }},
    {"--allow-net", "CIDR", "addresses to allow, such as 10.0.0.0/8",
     [](auto& access) {
         const auto take = [&policy = access.client.addresses](const std::string& text) {
             policy.allow(http::AddressRange::parse(text).value());
         };
         return texts(take, complaint_about_network);
     }},
    {"--bind-address,--interface", "ADDR", "address of this machine to connect from",
     [](auto& access) {
         const auto take = [&field = access.client.bind_address](const std::string& text) {
             field = aio::IpAddress::parse(text).value();
         };
         return text(take, complaint_about_own_address);
     }},
    {"--dns-servers", "ADDRESSES", "name servers, separated by commas",
     [](auto& access) { return text(access.resolver.servers); }},
    {"--http1,--http1.1", "", "speak HTTP/1.1 only",
     [](auto& access) { return flag(access.http1); }},
    {"--http2", "", "HTTP/2 where the server has it (default)",
     [](auto& access) { return flag(access.http2); }},
    {"--http2-prior-knowledge", "", "HTTP/2 from the first byte, also without TLS",
     [](auto& access) { return flag(access.http2_prior_knowledge); }},
    {"--noproxy,--no-proxy", "HOSTS", "hosts to ask without a proxy",
     [](auto& access) { return text(access.no_proxy); }},
    {"--proxy", "URL",
     "http, https, socks5 or socks5h proxy (default: $http_proxy, $https_proxy, $all_proxy)",
     [](auto& access) {
         return text([&field = access.proxy](const std::string& text) { field = text; });
     },
     kept, "-x"},
    {"--resolve", "ENTRY", "addresses of a host, as HOST:PORT:ADDRESS; * is any host",
     [](auto& access) {
         const auto take = [&rows = access.client.fixed_addresses](const std::string& text) {
             http::FixedAddress row = parse_resolve(text).value();
             // The client uses the first row that matches, so "*" must come last.
             rows.insert(row.host == "*" ? rows.end() : rows.begin(), std::move(row));
         };
         return texts(take, complaint_about_resolve);
     }},
};

constexpr AccessRow kTrust[] = {
    {"--basic", "", "send user and password before the server asks",
     [](auto& access) { return flag(access.basic); }},
    {"--ca-certificate,--cacert", "FILE", "authorities to trust besides the system's",
     [](auto& access) { return text(access.client.ca_file, complaint_about_file); }, given_again},
    {"--cert,--certificate,--client-cert", "FILE",
     "your certificate (PEM), for the origin of the typed URL",
     [](auto& access) { return text(access.certificate, complaint_about_file); }, given_again,
     "-E"},
    {"--key,--private-key", "FILE", "its key, if in another file",
     [](auto& access) { return text(access.key); }, given_again},
    {"--load-cookies", "FILE", "cookies: a Netscape file, or 'name=value; ...'",
     [](auto& access) { return text(access.load_cookies); }, given_again, "-b"},
    // With --resolve from a folder it would give a password away.
    {"--netrc", "", "user and password from $NETRC or ~/.netrc",
     [](auto& access) { return flag(access.netrc); }, given_again, "-n"},
    {"--netrc-file", "FILE", "user and password from this file",
     [](auto& access) { return text(access.netrc_file); }, given_again},
    {"--no-check-certificate,--insecure", "", "trust any certificate",
     [](auto& access) { return sets(access.client.verify_certificates, false); }, kept, "-k"},
    {"--oauth2-bearer", "TOKEN", "a token, for the origin of the typed URL",
     [](auto& access) { return text(access.bearer); }, given_again},
    {"--password", "TEXT", "the password of --user, if --user has none",
     [](auto& access) { return text(access.password); }, given_again},
    {"--save-cookies", "FILE", "write all cookies to this file at the end",
     [](auto& access) { return text(access.save_cookies); }, this_run, "-c"},
    {"--user", "USER", "name:password, sent to the origin of the typed URL when it asks",
     [](auto& access) { return text(access.user); }, given_again, "-u"},
};

}  // namespace

void add_access(CLI::App& command, AccessOptions& options, const AccessGroups& groups,
                bool has_letters) {
    add_options(command, groups.request, kRequest, options, has_letters);
    add_options(command, groups.way, kWay, options, has_letters);
    add_options(command, groups.trust, kTrust, options, has_letters);
}

std::vector<OptionSpec<AccessOptions>> access_rows() {
    std::vector<OptionSpec<AccessOptions>> rows(std::begin(kRequest), std::end(kRequest));
    rows.insert(rows.end(), std::begin(kWay), std::end(kWay));
    rows.insert(rows.end(), std::begin(kTrust), std::end(kTrust));
    return rows;
}

}  // namespace weft::cli
