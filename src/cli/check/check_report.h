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

// What a check of links has found, sorted by what there is to do about it.
struct CheckReport {
    static constexpr std::size_t kUnreachedMax = 1'000;

    std::vector<std::string> seeds;
    std::uint64_t page_count = 0;  // HTML pages that were read for links.
    std::uint64_t url_count = 0;   // URLs in scope that were asked for: pages, pictures, styles.
    std::uint64_t link_count = 0;  // Targets that were looked at, each once.
    Duration elapsed{};
    std::string unfinished;  // Why not all was checked; empty: all was.

    std::uint64_t fine_count = 0;
    std::vector<std::string> fine;               // Only if they are wanted.
    std::vector<crawl::CheckedLink> broken;      // New, if there is a baseline.
    std::vector<crawl::CheckedLink> known;       // Broken, and the baseline knows it.
    std::vector<crawl::CheckedLink> unverified;  // Nobody can say.
    std::uint64_t unreached_count = 0;           // The check ended before it came to them.
    std::vector<crawl::CheckedLink> unreached;   // The first kUnreachedMax of them by URL.
    std::vector<std::string> mended;             // In the baseline and not broken any more.
};

// A file of links that are known to be broken: a line each, the URL, then for people what is wrong.
// Lines that begin with "#" say nothing. URLs at the first seed's origin are relative to it, so
// that the file holds for the same site under another name, too; absolute ones are read as well.
// By the URL that each line means: the line's own spelling.
using Baseline = std::unordered_map<std::string, std::string>;
Baseline parse_baseline(std::string_view text, const web::Url& seed);
std::string to_baseline(const CheckReport& report, const web::Url& seed);

// Sorts the links of a check into a report, one after the other; then come its lists by URL.
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
    std::unordered_set<std::string> met_;  // Of the baseline.
};

// "404 Not Found", "no answer: example.com: connect refused", "no part named 'x'"; not escaped.
std::string what_is_wrong(const crawl::CheckedLink& link);

// The forms of a report. Text from outside is escaped for each.
std::string to_text(const CheckReport& report);
std::string to_json(const CheckReport& report);
std::string to_markdown(const CheckReport& report);
std::string to_junit(const CheckReport& report);   // A test case for each link.
std::string to_github(const CheckReport& report);  // Annotations of a workflow.

}  // namespace weft::cli
