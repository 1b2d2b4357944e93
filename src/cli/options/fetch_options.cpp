#include "cli/options/fetch_options.h"

namespace weft::cli {
namespace {

using FetchRow = OptionSpec<FetchArguments>;

constexpr const char* kAsked = "Request";
constexpr const char* kWayHeading = "Network";
constexpr const char* kTrustHeading = "Trust and login";

// No total limit by default, as in curl; each phase has its own.
constexpr Duration kForever = 365 * 24h;

constexpr FetchRow kFetchRequest[] = {
    {"-d,--data", "TEXT", "body to POST; @FILE reads it, @- standard input",
     [](auto& fetch) { return texts(fetch.data); }},
    {"-I,--head", "", "fetch and show only the head", [](auto& fetch) { return flag(fetch.head); }},
    {"-L,--location", "", "accepted for curl's sake; redirects are always followed",
     [](auto&) { return ignored(); }},
    {"--max-redirect", "N", "follow up to N redirects; 0: none",
     [](auto& fetch) { return number(fetch.redirect_count_max, 0, 1'000); }},
    {"-r,--range", "BYTES", "a part: 0-499, 500- or -500",
     [](auto& fetch) { return text(fetch.range); }},
    {"-X,--request", "METHOD", "a method other than GET or POST",
     [](auto& fetch) { return text(fetch.method); }},
    {"-U,-A,--user-agent", "TEXT", "who you are",
     [](auto& fetch) { return text(fetch.access.client.user_agent); }},
};

constexpr FetchRow kFetchAnswer[] = {
    {"--format", "FORM", "of fields and rows: jsonl or csv",
     [](auto& fetch) { return choice(fetch.is_csv, {{"jsonl", false}, {"csv", true}}); }},
    {"--json", "", "facts and timings as JSON instead of the content",
     [](auto& fetch) { return flag(fetch.json); }},
    {"--markdown", "", "the main text of a page as Markdown; also of a FILE or of - (stdin)",
     [](auto& fetch) { return flag(fetch.markdown); }},
    {"--max-filesize", "N", "end at N bytes of content",
     [](auto& fetch) {
         return number(fetch.access.client.limits.content_bytes_max, std::uint64_t{1},
                       std::uint64_t{1} << 60)
             .without_default();
     }},
    {"-o,--output", "FILE", "write the content to FILE, not to stdout",
     [](auto& fetch) { return text(fetch.output); }},
    {"-O,--remote-name", "", "write it to a file named like the end of the URL",
     [](auto& fetch) { return flag(fetch.remote_name); }},
    {"-q,--quiet", "", "say nothing, not even errors",
     [](auto& fetch) { return flag(fetch.quiet); }},
    {"--raw", "", "do not undo Content-Encoding",
     [](auto& fetch) { return sets(fetch.access.client.decode, false); }},
    {"--structured", "", "JSON-LD and microdata of a page, whole, as JSON",
     [](auto& fetch) { return flag(fetch.structured); }},
    {"--text", "", "the main text of a page as plain text; also of a FILE or of - (stdin)",
     [](auto& fetch) { return flag(fetch.plain_text); }},
    {"-v,--verbose", "", "show heads and timings on stderr",
     [](auto& fetch) { return flag(fetch.verbose); }},
    {"--whole-page", "", "with --markdown or --text: menus, footers and the like, too",
     [](auto& fetch) { return flag(fetch.whole_page); }},
};

constexpr FetchRow kFetchWay[] = {
    {"--connect-timeout", "SECONDS", "time limit for connecting to one address",
     [](auto& fetch) {
         return seconds(fetch.access.client.limits.connect_timeout, 0.001, 86'400.0)
             .without_default();
     }},
    {"--limit-rate", "RATE", "receive at most this much content a second; 0: no limit (default)",
     [](auto& fetch) { return size_limit(fetch.access.bytes_per_second); }},
    {"-m,--timeout,--max-time", "SECONDS",
     "time limit for everything (default: none, but each phase has its own)",
     [](auto& fetch) {
         return seconds(fetch.access.client.limits.total_timeout, 0.001, 31'536'000.0)
             .without_default();
     }},
};

constexpr FetchRow kFetchTrust[] = {
    {"--tls-sessions", "FILE", "resume the TLS sessions in this file, and store new ones there",
     [](auto& fetch) { return text(fetch.tls_sessions); }},
};

}  // namespace

FetchArguments::FetchArguments() {
    access.client.user_agent = "weft/" WEFT_VERSION;
    http::FetchLimits& limits = access.client.limits;
    limits.total_timeout = kForever;
    // The content goes to a file or a pipe, not into memory, so its size is not limited.
    limits.wire_bytes_max = limits.content_bytes_max = INT64_MAX;
}

void add_fetch(CLI::App& app, FetchArguments& arguments) {
    CLI::App* fetch = app.add_subcommand("fetch", "Fetch one URL, and show how it went");
    fetch->add_option("url", arguments.url, "the URL to fetch")->required()->type_name("");
    add_options(*fetch, kAsked, kFetchRequest, arguments);
    add_options(*fetch, "What is shown and kept", kFetchAnswer, arguments);
    add_options(*fetch, "What is shown and kept", rule_rows(), arguments.rules);
    exclude_each_other(*fetch, {"--rules", "--select"});
    add_access(*fetch, arguments.access,
               {.request = kAsked, .way = kWayHeading, .trust = kTrustHeading}, true);
    add_options(*fetch, kWayHeading, kFetchWay, arguments);
    add_options(*fetch, kTrustHeading, kFetchTrust, arguments);
    fetch->footer("Example: weft fetch -v --timeout 10 https://example.com/");
}

}  // namespace weft::cli
