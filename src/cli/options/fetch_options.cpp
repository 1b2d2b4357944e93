#include "cli/options/fetch_options.h"

#include <CLI/CLI.hpp>

#include "cli/options/value_checks.h"

namespace weft::cli {
namespace {

constexpr const char* kAsked = "What is asked";
constexpr const char* kWay = "By which way";
constexpr const char* kTrust = "Whom to trust, and who you are";

void add_request(CLI::App& fetch, FetchArguments& arguments) {
    const std::string group = kAsked;
    fetch
        .add_option("-d,--data", arguments.data, "body to POST; @FILE reads it, @- standard input")
        ->allow_extra_args(false)
        ->group(group)
        ->type_name("TEXT");
    fetch.add_flag("-I,--head", arguments.head, "only the head, which is shown")->group(group);
    fetch.add_flag("-L,--location", arguments.location, "follow redirects, as is done anyway")
        ->group(group);
    fetch
        .add_option("--max-redirect", arguments.redirects_max,
                    "follow up to N redirects; 0: none (default: 20)")
        ->group(group)
        ->check(between(0, 1'000))
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
        ->check(between(std::uint64_t{1}, std::uint64_t{1} << 60))
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
    fetch.add_option("--connect-timeout", arguments.connect_timeout_seconds, "for one address")
        ->group(kWay)
        ->check(between(0.001, 86'400.0))
        ->type_name("SECONDS");
    fetch
        .add_option("--limit-rate", arguments.access.limit_rate_bytes,
                    "bytes of content taken in a second; 0: no limit (default)")
        ->group(kWay)
        ->transform(size_in_bytes())
        ->type_name("RATE");
    fetch
        .add_option("-m,--timeout,--max-time", arguments.timeout_seconds,
                    "for all of it (default: none, but each phase has its own)")
        ->group(kWay)
        ->check(between(0.001, 31'536'000.0))
        ->type_name("SECONDS");
    fetch
        .add_option("--tls-sessions", arguments.tls_sessions,
                    "resume TLS sessions kept there, and keep them")
        ->group(kTrust)
        ->type_name("FILE");
}

}  // namespace

void add_fetch(CLI::App& app, FetchArguments& arguments) {
    CLI::App* fetch = app.add_subcommand("fetch", "Fetch one URL, and show how it went");
    fetch->add_option("url", arguments.url, "what to fetch")->required()->type_name("");
    add_request(*fetch, arguments);
    add_answer(*fetch, arguments);
    add_access(*fetch, arguments.access, {.request = kAsked, .way = kWay, .trust = kTrust}, true);
    add_way(*fetch, arguments);
    fetch->footer("Example: weft fetch -v --timeout 10 https://example.com/");
}

}  // namespace weft::cli
