#include "cli/options/other_tools.h"

#include <algorithm>
#include <array>

namespace weft::cli {
namespace {

struct Row {
    std::string_view option;
    std::string_view way;
};

constexpr std::string_view kBrowse =
    "--mirror DIR makes a copy to browse, with links converted and files named by type; "
    "'weft mirror' makes one of a crawl that is done";
constexpr std::string_view kResume = "'weft resume DIR' continues a crawl";
constexpr std::string_view kRecrawl = "'weft recrawl DIR' asks only for what has changed since";
constexpr std::string_view kExplain = "after the crawl, 'weft explain DIR URL' explains it";
constexpr std::string_view kOutput = "--output DIR names the folder of a crawl";

// The options of wget, and of Browsertrix (in camel case), that have no option of the same name
// here.
constexpr auto kRows = std::to_array<Row>({
    {"--accept", "--include 'glob:*.html' follows only URLs that match"},
    {"-A", "--include 'glob:*.html' follows only URLs that match"},
    {"-E", kBrowse},
    {"-F", "-i FILE reads a list of URLs, as plain text"},
    {"-N", kRecrawl},
    {"-O", "'weft fetch -o FILE URL' writes one URL to a file"},
    {"-R", "--exclude 'glob:*.zip' leaves out URLs that match"},
    {"-e", "--robots off ignores robots.txt"},
    {"-k", kBrowse},
    {"-m", kBrowse},
    {"-nc", kResume},
    {"--adjust-extension", kBrowse},
    {"--collection", kOutput},
    {"--continue", kResume},
    {"--convert-links", kBrowse},
    {"--delete-after", "--no-archive writes no archive"},
    {"--execute", "--robots off ignores robots.txt"},
    {"--explain", kExplain},
    {"--generateCDX", "the index is always written"},
    {"--generateWACZ", "--wacz makes a WACZ file"},
    {"--html-extension", kBrowse},
    {"--no-clobber", kResume},
    {"--no-warc-compression", "--compress none writes records without compression"},
    {"--output-document", "'weft fetch -o FILE URL' writes one URL to a file"},
    {"--random-wait", "the pause follows the server's speed, unless --wait sets it"},
    {"--reject", "--exclude 'glob:*.zip' leaves out URLs that match"},
    {"--reject-regex", "--exclude PATTERN leaves out URLs that match"},
    {"--accept-regex", "--include PATTERN follows only URLs that match"},
    {"--resume", kResume},
    {"--rolloverSize", "--warc-max-size says when a new WARC file begins"},
    {"--scopeType", "--scope says how far links are followed"},
    {"--seedFile", "-i FILE reads a list of URLs"},
    {"--spider", "'weft check' looks for broken links and keeps nothing"},
    {"--timestamping", kRecrawl},
    {"--warc-dedup", "--earlier DIR stores only what has changed since an earlier crawl"},
    {"--warc-header", "--user-agent is written to the warcinfo record"},
    {"--workers", "--concurrency sets the fetches at once, --threads the cores"},
});

std::string_view way_of(std::string_view option) {
    const auto* found = std::ranges::find(kRows, option, &Row::option);
    return found == kRows.end() ? std::string_view() : found->way;
}

}  // namespace

std::string_view way_here(std::string_view option) {
    const std::string_view way = way_of(option);
    if (!way.empty() || option.size() < 3 || option.starts_with("--")) return way;
    for (const char letter : option.substr(1)) {
        const std::array<char, 2> name{'-', letter};
        const std::string_view one = way_of({name.data(), name.size()});
        if (!one.empty()) return one;
    }
    return {};
}

}  // namespace weft::cli
