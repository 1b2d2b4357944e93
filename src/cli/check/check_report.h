#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "base/clock.h"
#include "crawl/check/link_check.h"
#include "web/url/url.h"

namespace weft::cli {

// The result of a link check, sorted by what the user has to do.
struct CheckReport {
    static constexpr std::size_t kUnreachedMax = 1'000;

    std::vector<std::string> seeds;
    std::uint64_t page_count = 0;  // HTML pages that were read for links.
    std::uint64_t url_count = 0;   // URLs in scope that were requested: pages, images, styles.
    std::uint64_t link_count = 0;  // Targets that were checked, each once.
    Duration elapsed{};
    std::string unfinished;  // Why not everything was checked; empty: everything was.

    std::uint64_t fine_count = 0;
    std::vector<std::string> fine;               // Empty unless they are wanted.
    std::vector<crawl::CheckedLink> broken;      // Without those that the baseline has.
    std::vector<crawl::CheckedLink> known;       // Broken, but in the baseline.
    std::vector<crawl::CheckedLink> unverified;  // It cannot be decided.
    std::uint64_t unreached_count = 0;           // The check ended before they were requested.
    std::vector<crawl::CheckedLink> unreached;   // The first kUnreachedMax, by URL.
    std::vector<std::string> mended;             // In the baseline, but no longer broken.
};

// A file of links that are known to be broken. Each line has the URL, then a description for
// people. Lines that begin with "#" are comments. URLs of the first seed's origin are relative, so
// that the file also fits a copy of the site under another name; absolute URLs are accepted too.
// The map is from the absolute URL to the spelling in the file.
using Baseline = std::unordered_map<std::string, std::string>;
Baseline parse_baseline(std::string_view text, const web::Url& seed);
std::string to_baseline(const CheckReport& report, const web::Url& seed);

// Sorts the links of a check into a report. finish() sorts the lists by URL. Report and baseline
// outlive it.
class CheckSorter {
public:
    CheckSorter(CheckReport& report, const Baseline& baseline, bool wants_fine)
        : report_(report), baseline_(baseline), wants_fine_(wants_fine) {}

    void add(crawl::CheckedLink link);
    void finish();

private:
    void add_unreached(crawl::CheckedLink link);
    bool is_known(const crawl::CheckedLink& link);

    CheckReport& report_;
    const Baseline& baseline_;
    bool wants_fine_;
    std::unordered_set<std::string> met_;  // Entries of the baseline that are still broken.
};

// "404 Not Found", "no answer: example.com: connect refused", "no part named 'x'"; not escaped.
std::string what_is_wrong(const crawl::CheckedLink& link);

// The output formats of a report. Text from outside is escaped for each format.
std::string to_text(const CheckReport& report);
std::string to_json(const CheckReport& report);
std::string to_markdown(const CheckReport& report);
std::string to_junit(const CheckReport& report);   // One test case for each link.
std::string to_github(const CheckReport& report);  // Annotations of a GitHub workflow.

}  // namespace weft::cli
