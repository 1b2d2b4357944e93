#include "cli/options/access_options.h"

#include <CLI/CLI.hpp>

#include "aio/net/socket_network.h"
#include "cli/options/value_checks.h"
#include "http/connect/address_range.h"

namespace weft::cli {
namespace {

// Adds options to one group of a command's help: with long names only, or with curl's letters too.
class Group {
public:
    Group(CLI::App& command, std::string name, bool has_letters)
        : command_(command), name_(std::move(name)), has_letters_(has_letters) {}

    template <class Value>
    CLI::Option* option(const std::string& letters, const std::string& names, Value& value,
                        const char* what) const {
        // One value each time, so that the URL can follow an option that may be repeated.
        return command_.add_option(spelt(letters, names), value, what)
            ->allow_extra_args(false)
            ->group(name_);
    }

    void flag(const std::string& letters, const std::string& names, bool& value,
              const char* what) const {
        command_.add_flag(spelt(letters, names), value, what)->group(name_);
    }

private:
    std::string spelt(const std::string& letters, const std::string& names) const {
        return has_letters_ && !letters.empty() ? letters + "," + names : names;
    }

    CLI::App& command_;
    std::string name_;
    bool has_letters_;
};

std::string complaint_about_network(const std::string& text) {
    return http::AddressRange::parse(text) ? "" : "not an address range; write it like 10.0.0.0/8";
}

// A socket can be bound only to an address of this machine.
std::string complaint_about_own_address(const std::string& text) {
    const auto address = aio::IpAddress::parse(text);
    if (!address) return "not an address; write it like 192.0.2.1 or 2001:db8::1";
    return aio::is_own_address(*address) ? "" : "not an address of this machine";
}

void add_way(const Group& group, AccessArguments& a) {
    group.flag("", "-4,--ipv4", a.v4, "only IPv4 addresses");
    group.flag("", "-6,--ipv6", a.v6, "only IPv6 addresses");
    group.option("", "--allow-net", a.allow_nets, "addresses to allow, such as 10.0.0.0/8")
        ->check(that(complaint_about_network))
        ->type_name("CIDR");
    group
        .option("", "--bind-address,--interface", a.bind_address,
                "address of this machine to connect from")
        ->check(that(complaint_about_own_address))
        ->type_name("ADDR");
    group.option("", "--dns-servers", a.dns_servers, "name servers, separated by commas")
        ->type_name("ADDRESSES");
    group.flag("", "--http1,--http1.1", a.http1, "speak HTTP/1.1 only");
    group.flag("", "--http2", a.http2, "HTTP/2 where the server has it (default)");
    group.flag("", "--http2-prior-knowledge", a.http2_prior_knowledge,
               "HTTP/2 at once, without TLS too");
    group.option("", "--noproxy,--no-proxy", a.no_proxy, "hosts to ask without a proxy")
        ->type_name("HOSTS");
    group
        .option("-x", "--proxy", a.proxy,
                "http, https, socks5 or socks5h proxy (default: $http_proxy and its kin)")
        ->type_name("URL");
    group
        .option("", "--resolve", a.resolve,
                "addresses of a host, as HOST:PORT:ADDRESS; * is any host")
        ->type_name("ENTRY");
}

void add_trust(const Group& group, AccessArguments& a) {
    group.flag("", "--basic", a.basic, "show user and password before being asked");
    group
        .option("", "--ca-certificate,--cacert", a.ca_certificate,
                "authorities to trust besides the system's")
        ->check(file_there())
        ->type_name("FILE");
    group
        .option("-E", "--cert,--certificate,--client-cert", a.certificate,
                "your certificate, PEM, for the origin that is typed")
        ->check(file_there())
        ->type_name("FILE");
    group.option("", "--key,--private-key", a.key, "its key, if in another file")
        ->type_name("FILE");
    group
        .option("-b", "--load-cookies", a.load_cookies,
                "cookies: a Netscape file, or 'name=value; ...'")
        ->type_name("FILE");
    group.flag("-n", "--netrc", a.netrc, "user and password from $NETRC or ~/.netrc");
    group.option("", "--netrc-file", a.netrc_file, "or from this file")->type_name("FILE");
    group.flag("-k", "--no-check-certificate,--insecure", a.no_check_certificate,
               "trust any certificate");
    group.option("", "--oauth2-bearer", a.bearer, "a token, for the origin that is typed")
        ->type_name("TOKEN");
    group.option("", "--password", a.password, "of --user, if not behind its colon")
        ->type_name("TEXT");
    group.option("-c", "--save-cookies", a.save_cookies, "write all cookies there after")
        ->type_name("FILE");
    group
        .option("-u", "--user", a.user,
                "name:password for the origin that is typed, shown when it asks")
        ->type_name("USER");
}

}  // namespace

void add_access(CLI::App& command, AccessArguments& arguments, const AccessGroups& groups,
                bool has_letters) {
    const Group request(command, groups.request, has_letters);
    request
        .option("", "-H,--header", arguments.headers,
                "another field, as 'Name: value', for the origins that are typed")
        ->type_name("FIELD");
    request.flag("", "--header-anywhere", arguments.header_anywhere,
                 "send these fields to all others too, but for Authorization and Cookie");
    add_way(Group(command, groups.way, has_letters), arguments);
    add_trust(Group(command, groups.trust, has_letters), arguments);
}

}  // namespace weft::cli
