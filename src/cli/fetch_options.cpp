#include "cli/fetch_options.h"

#include <CLI/CLI.hpp>

namespace weft::cli {
namespace {

void add_request(CLI::App& fetch, FetchArguments& arguments) {
    const std::string group = "What is asked";
    fetch
        .add_option("-d,--data", arguments.data, "body to POST; @FILE reads it, @- standard input")
        ->allow_extra_args(false)
        ->group(group)
        ->type_name("TEXT");
    fetch.add_option("-H,--header", arguments.headers, "another field, as 'Name: value'")
        ->allow_extra_args(false)
        ->group(group)
        ->type_name("FIELD");
    fetch.add_flag("-I,--head", arguments.head, "only the head, which is shown")->group(group);
    fetch.add_flag("-L,--location", arguments.location, "follow redirects, as is done anyway")
        ->group(group);
    fetch
        .add_option("--max-redirect", arguments.redirects_max,
                    "follow up to N redirects; 0: none (default: 20)")
        ->group(group)
        ->check(CLI::Range(0, 1'000))
        ->type_name("N");
    fetch.add_option("-r,--range", arguments.range, "a part: 0-499, 500- or -500")
        ->group(group)
        ->type_name("BYTES");
    fetch.add_option("-X,--request", arguments.method, "another method than GET or POST")
        ->group(group)
        ->type_name("METHOD");
    fetch.add_option("-U,-A,--user-agent", arguments.user_agent, "who you are")
        ->group(group)
        ->capture_default_str()
        ->type_name("TEXT");
}

void add_answer(CLI::App& fetch, FetchArguments& arguments) {
    const std::string group = "What is shown and kept";
    fetch.add_flag("--json", arguments.json, "facts and timings as JSON instead of the content")
        ->group(group);
    fetch.add_option("--max-filesize", arguments.bytes_max, "end at N bytes of content")
        ->group(group)
        ->check(CLI::Range(std::uint64_t{1}, std::uint64_t{1} << 60))
        ->type_name("N");
    fetch.add_option("-o,--output", arguments.output, "write the content to FILE, not to stdout")
        ->group(group)
        ->type_name("FILE");
    fetch
        .add_flag("-O,--remote-name", arguments.remote_name,
                  "write it to a file named as the end of the URL")
        ->group(group);
    fetch.add_flag("-q,--quiet", arguments.quiet, "say nothing, not even errors")->group(group);
    fetch.add_flag("--raw", arguments.raw, "leave Content-Encoding as it came")->group(group);
    fetch.add_flag("-v,--verbose", arguments.verbose, "show heads and timings on stderr")
        ->group(group);
}

void add_way(CLI::App& fetch, FetchArguments& arguments) {
    const std::string group = "By which way";
    fetch.add_flag("-4,--ipv4", arguments.v4, "only IPv4 addresses")->group(group);
    fetch.add_flag("-6,--ipv6", arguments.v6, "only IPv6 addresses")->group(group);
    fetch.add_option("--allow-net", arguments.allow_nets, "addresses to allow, such as 10.0.0.0/8")
        ->allow_extra_args(false)
        ->group(group)
        ->type_name("CIDR");
    fetch.add_option("--connect-timeout", arguments.connect_timeout_seconds, "for one address")
        ->group(group)
        ->check(CLI::Range(0.001, 86'400.0))
        ->type_name("SECONDS");
    fetch.add_option("--dns-servers", arguments.dns_servers, "name servers, separated by commas")
        ->group(group)
        ->type_name("ADDRESSES");
    fetch.add_flag("--http1,--http1.1", arguments.http1, "speak HTTP/1.1 only")->group(group);
    fetch.add_flag("--http2", arguments.http2, "HTTP/2 where the server has it (default)")
        ->group(group);
    fetch
        .add_flag("--http2-prior-knowledge", arguments.http2_prior_knowledge,
                  "HTTP/2 at once, without TLS too")
        ->group(group);
    fetch.add_option("--noproxy", arguments.no_proxy, "hosts to ask without a proxy")
        ->group(group)
        ->type_name("HOSTS");
    fetch
        .add_option("-x,--proxy", arguments.proxy,
                    "http, https, socks5 or socks5h proxy (default: $http_proxy and its kin)")
        ->group(group)
        ->type_name("URL");
    fetch.add_option("--resolve", arguments.resolve, "addresses of a host, as HOST:PORT:ADDRESS")
        ->allow_extra_args(false)
        ->group(group)
        ->type_name("ENTRY");
    fetch
        .add_option("-m,--timeout,--max-time", arguments.timeout_seconds,
                    "for all of it (default: none, but each phase has its own)")
        ->group(group)
        ->check(CLI::Range(0.001, 31'536'000.0))
        ->type_name("SECONDS");
}

void add_trust(CLI::App& fetch, FetchArguments& arguments) {
    const std::string group = "Whom to trust, and who you are";
    fetch.add_flag("--basic", arguments.basic, "show user and password before being asked")
        ->group(group);
    fetch
        .add_option("--ca-certificate,--cacert", arguments.ca_certificate,
                    "authorities to trust besides the system's")
        ->group(group)
        ->type_name("FILE");
    fetch.add_option("-E,--cert", arguments.certificate, "your certificate, PEM, for this origin")
        ->group(group)
        ->type_name("FILE");
    fetch.add_option("--key", arguments.key, "its key, if in another file")
        ->group(group)
        ->type_name("FILE");
    fetch
        .add_option("-b,--load-cookies", arguments.load_cookies,
                    "cookies: a Netscape file, or 'name=value; ...'")
        ->group(group)
        ->type_name("FILE");
    fetch.add_flag("-n,--netrc", arguments.netrc, "user and password from $NETRC or ~/.netrc")
        ->group(group);
    fetch.add_option("--netrc-file", arguments.netrc_file, "or from this file")
        ->group(group)
        ->type_name("FILE");
    fetch
        .add_flag("-k,--no-check-certificate,--insecure", arguments.no_check_certificate,
                  "trust any certificate")
        ->group(group);
    fetch.add_option("--oauth2-bearer", arguments.bearer, "a token, for this origin")
        ->group(group)
        ->type_name("TOKEN");
    fetch.add_option("-c,--save-cookies", arguments.save_cookies, "write all cookies there after")
        ->group(group)
        ->type_name("FILE");
    fetch
        .add_option("--tls-sessions", arguments.tls_sessions,
                    "resume TLS sessions kept there, and keep them")
        ->group(group)
        ->type_name("FILE");
    fetch
        .add_option("-u,--user", arguments.user,
                    "name:password for this origin, shown when it asks")
        ->group(group)
        ->type_name("USER");
}

}  // namespace

void add_fetch(CLI::App& app, FetchArguments& arguments) {
    CLI::App* fetch = app.add_subcommand("fetch", "Fetch one URL, and show how it went");
    fetch->add_option("url", arguments.url, "what to fetch")->required()->type_name("");
    add_request(*fetch, arguments);
    add_answer(*fetch, arguments);
    add_way(*fetch, arguments);
    add_trust(*fetch, arguments);
    fetch->footer("Example: weft fetch -v --timeout 10 https://example.com/");
}

}  // namespace weft::cli
