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
    "a copy to browse, its links converted and its files named by type, is made by --mirror DIR, "
    "and of a crawl that is done by 'weft mirror'";
constexpr std::string_view kResume = "a crawl is gone on with by 'weft resume DIR'";
constexpr std::string_view kRecrawl = "'weft recrawl DIR' asks only for what has changed since";
constexpr std::string_view kExplain = "once it is crawled, 'weft explain DIR URL' says it";
constexpr std::string_view kOutput = "the folder of a crawl is named by --output DIR";

// The options of wget, and of Browsertrix (in camel case), that have no option of the same name
// here.
constexpr auto kRows = std::to_array<Row>({
    {"--accept", "only URLs that match are followed with --include 'glob:*.html'"},
    {"-A", "only URLs that match are followed with --include 'glob:*.html'"},
    {"-E", kBrowse},
    {"-F", "a list of URLs, plain text, is read by -i FILE"},
    {"-N", kRecrawl},
    {"-O", "one URL is written to a file by 'weft fetch -o FILE URL'"},
    {"-R", "URLs that match are left out with --exclude 'glob:*.zip'"},
    {"-e", "robots.txt is not asked for with --robots off"},
    {"-k", kBrowse},
    {"-m", kBrowse},
    {"-nc", kResume},
    {"--adjust-extension", kBrowse},
    {"--collection", kOutput},
    {"--continue", kResume},
    {"--convert-links", kBrowse},
    {"--delete-after", "nothing is archived with --no-archive"},
    {"--execute", "robots.txt is not asked for with --robots off"},
    {"--explain", kExplain},
    {"--generateCDX", "an index is made anyway"},
    {"--generateWACZ", "a WACZ file is made by --wacz"},
    {"--html-extension", kBrowse},
    {"--no-clobber", kResume},
    {"--no-warc-compression", "records stand as they are with --compress none"},
    {"--output-document", "one URL is written to a file by 'weft fetch -o FILE URL'"},
    {"--random-wait", "the pause follows the server's own speed anyway, or is that of --wait"},
    {"--reject", "URLs that match are left out with --exclude 'glob:*.zip'"},
    {"--reject-regex", "URLs that match are left out with --exclude PATTERN"},
    {"--accept-regex", "only URLs that match are followed with --include PATTERN"},
    {"--resume", kResume},
    {"--rolloverSize", "a WARC file is closed past --warc-max-size"},
    {"--scopeType", "how far links are followed is said by --scope"},
    {"--seedFile", "a list of URLs is read by -i FILE"},
    {"--spider", "'weft check' looks for broken links and keeps nothing"},
    {"--timestamping", kRecrawl},
    {"--warc-dedup", "what an earlier crawl has is not stored again with --earlier DIR"},
    {"--warc-header", "the warcinfo record says who crawls by --user-agent"},
    {"--workers", "fetches at once are --concurrency, cores are --threads"},
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
